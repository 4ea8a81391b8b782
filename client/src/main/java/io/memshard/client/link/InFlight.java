// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.ConnectionOptions;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counter of the commands and bytes in flight on a connection. It enforces three limits: commands and bytes of the
 * connection, and bytes of the whole client.
 *
 * <p>One atomic number holds both counts, so that a command costs one addition at its start and one at its end. All
 * threads share the client's budget. To access the budget seldom, a connection reserves bytes from it in steps of
 * {@link #STEP_BYTES}. The timer returns reserved bytes that are no longer needed. The first step does not come from
 * the budget. A connection whose server answers can thus continue when other connections have taken the whole budget.
 *
 * <p>Threading: thread-safe.
 */
public final class InFlight {

    /** Smallest growth of the reservation; also the bytes that do not count towards the budget. */
    static final int STEP_BYTES = 64 * 1024;

    /** Number of low bits, which hold the bytes; the bits above hold the commands. */
    private static final int BYTE_BITS = 44;

    private static final long ONE_COMMAND = 1L << BYTE_BITS;

    /** Set to zero once, by {@link #refuseAll}. */
    private volatile int maxCommands;

    private final long maxBytes;
    private final ByteBudget budget;

    private final AtomicLong commandsAndBytes = new AtomicLong();

    /** Number of reserved bytes, including the first step. Written under the monitor of this object. */
    private volatile long reserved = STEP_BYTES;

    /** True if bytes in flight are covered by the budget. Guarded by this object. */
    private boolean covered = true;

    /** Creates a counter at zero, with the limits of {@code options} and the budget of the client. */
    public InFlight(ConnectionOptions options, ByteBudget budget) {
        this.maxCommands = options.maxInFlight();
        this.maxBytes = options.connectionBytesInFlight();
        this.budget = budget;
    }

    /** Returns the number of commands in flight. */
    public int commands() {
        return (int) (commandsAndBytes.get() >>> BYTE_BITS);
    }

    /** Returns the number of bytes that the commands in flight take. */
    public long bytes() {
        return bytes(commandsAndBytes.get());
    }

    private static long bytes(long both) {
        return both & ONE_COMMAND - 1;
    }

    /**
     * Counts one more command, unless this would exceed a limit.
     *
     * @return the exceeded limit, in words; null if the command was counted
     */
    public @Nullable String tryAdd(long bytes) {
        long now = commandsAndBytes.addAndGet(ONE_COMMAND + bytes);
        boolean counted = false;
        try {
            String limit = exceededLimit(now);
            counted = limit == null;
            return limit;
        } finally {
            if (!counted) {
                remove(1, bytes);
            }
        }
    }

    private @Nullable String exceededLimit(long now) {
        if (now >>> BYTE_BITS > maxCommands) {
            return "in-flight limit " + maxCommands
                    + " reached: raise maxInFlight or connectionsPerServer, or send less";
        }
        long bytes = bytes(now);
        if (bytes > maxBytes) {
            return "limit of " + maxBytes + " bytes in flight on a connection (half of maxBytesInFlight) reached:"
                    + " raise maxBytesInFlight or connectionsPerServer, or send less";
        }
        if (bytes > reserved && !reserve(bytes)) {
            return "limit of " + budget.limit() + " bytes in flight in the client reached: raise maxBytesInFlight, or"
                    + " send less";
        }
        return null;
    }

    /** Reserves bytes for {@code bytes} in flight. Returns false if the budget has too few bytes left. */
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
     * Admits no more commands of callers. If the count is zero afterwards, no such command is in flight, now or later:
     * a thread counts its command before it reads the limit.
     */
    void refuseAll() {
        maxCommands = 0;
    }

    /** Removes completed commands from the count. */
    public void remove(int commands, long bytes) {
        commandsAndBytes.addAndGet(-(commands * ONE_COMMAND + bytes));
    }

    /** Counts a command without a caller, regardless of the limits. */
    void addUnlimited(long bytes) {
        commandsAndBytes.addAndGet(ONE_COMMAND + bytes);
    }

    /** Reserves the bytes needed now, and returns the rest to the budget. Called by the timer. */
    public synchronized void settle() {
        if (covered) {
            reserveExactly(inSteps(bytes()));
        }
    }

    /**
     * Covers all bytes in flight with the budget until {@link #detachBudget} is called; a new counter begins in this
     * state.
     */
    public synchronized void attachBudget() {
        covered = true;
        settle();
    }

    /**
     * Returns the reservation to the budget, because the commands have failed or another instance is going to count
     * them.
     */
    public synchronized void detachBudget() {
        covered = false;
        reserveExactly(STEP_BYTES);
    }

    /** Called under the monitor of this object. */
    private void reserveExactly(long bytes) {
        budget.take(bytes - reserved);
        reserved = bytes;
    }
}
