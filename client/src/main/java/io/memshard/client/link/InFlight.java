// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.ConnectionOptions;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is in flight, commands and bytes, and admits no more than three limits allow: of commands and of bytes
 * here, and of bytes in the whole client.
 *
 * <p>One atomic number holds both counts, so that a command costs one addition when it comes and one when it goes. The
 * client's budget is shared by all threads. So what is in flight here is covered by a reservation from it, which grows
 * in steps of {@link #STEP_BYTES}. The timer gives back what is not needed any more. The first step is nobody's but
 * this one's. So a connection whose server answers goes on when other connections have taken the whole budget.
 *
 * <p>Threading: thread-safe.
 */
public final class InFlight {

    /** How much the reservation grows at least; and what is here for free. */
    static final int STEP_BYTES = 64 * 1024;

    /** The low bits hold the bytes, the bits above them the commands. */
    private static final int BYTE_BITS = 44;

    private static final long ONE_COMMAND = 1L << BYTE_BITS;

    /** Set to zero once, by the thread that has it refuse all. */
    private volatile int maxCommands;

    private final long maxBytes;
    private final ByteBudget budget;

    private final AtomicLong commandsAndBytes = new AtomicLong();

    /** How many bytes are covered. Written under the monitor of this. */
    private volatile long reserved = STEP_BYTES;

    /** Whether it takes from the budget what it needs. Guarded by this. */
    private boolean covered = true;

    /** Nothing in flight, under the limits of {@code options} and the budget of the client. */
    public InFlight(ConnectionOptions options, ByteBudget budget) {
        this.maxCommands = options.maxInFlight();
        this.maxBytes = options.connectionBytesInFlight();
        this.budget = budget;
    }

    /** How many commands are in flight. */
    public int commands() {
        return (int) (commandsAndBytes.get() >>> BYTE_BITS);
    }

    /** How many bytes these commands take. */
    public long bytes() {
        return bytes(commandsAndBytes.get());
    }

    private static long bytes(long both) {
        return both & ONE_COMMAND - 1;
    }

    /**
     * Counts one command more, unless that is too much.
     *
     * @return the limit that forbids it, in words; null if it counts
     */
    public @Nullable String tryAdd(long bytes) {
        long now = commandsAndBytes.addAndGet(ONE_COMMAND + bytes);
        String limit = exceededLimit(now);
        if (limit != null) {
            remove(1, bytes);
        }
        return limit;
    }

    private @Nullable String exceededLimit(long now) {
        if (now >>> BYTE_BITS > maxCommands) {
            return "in-flight limit " + maxCommands
                    + " reached: raise maxInFlight or connectionsPerServer, or send less";
        }
        long bytes = bytes(now);
        if (bytes > maxBytes) {
            return "limit of " + maxBytes + " bytes in flight on a connection reached: raise maxBytesInFlight, of which"
                    + " it is the half, or connectionsPerServer, or send less";
        }
        if (bytes > reserved && !reserve(bytes)) {
            return "limit of " + budget.limit() + " bytes in flight in the client reached: raise maxBytesInFlight, or"
                    + " send less";
        }
        return null;
    }

    /** Whether so many bytes are covered now. */
    private synchronized boolean reserve(long bytes) {
        long wanted = inSteps(bytes);
        if (wanted > reserved && covered) {
            if (!budget.tryTake(wanted - reserved)) {
                return false;
            }
            reserved = wanted;
        }
        return true;
    }

    private static long inSteps(long bytes) {
        return Math.max(1, (bytes + STEP_BYTES - 1) / STEP_BYTES) * STEP_BYTES;
    }

    /**
     * Admits no more commands. After this, what is not counted never will be. A thread counts a command before it looks
     * at the limit. The caller of this looks at the count after it has set the limit.
     */
    void refuseAll() {
        maxCommands = 0;
    }

    /** Counts commands as gone. */
    public void remove(int commands, long bytes) {
        commandsAndBytes.addAndGet(-(commands * ONE_COMMAND + bytes));
    }

    /** Counts a command without a caller, whatever the limits. */
    void addUnlimited(long bytes) {
        commandsAndBytes.addAndGet(ONE_COMMAND + bytes);
    }

    /** Reserves what is needed now, and gives back the rest. The timer's call. */
    public synchronized void settle() {
        if (covered) {
            reserveExactly(inSteps(bytes()));
        }
    }

    /** From now on covers what is here; as at first. */
    public synchronized void cover() {
        covered = true;
        settle();
    }

    /** Gives the reservation back, because what is here has failed, or another is going to count it. */
    public synchronized void uncover() {
        covered = false;
        reserveExactly(STEP_BYTES);
    }

    /** Guarded by this. */
    private void reserveExactly(long bytes) {
        budget.take(bytes - reserved);
        reserved = bytes;
    }
}
