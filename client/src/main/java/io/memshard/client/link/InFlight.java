// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counter of the commands and bytes in flight on a connection, with their limits. Threading: thread-safe.
 *
 * <p>One atomic number holds both counts. Bytes are reserved from the client's budget in units of {@link #STEP_BYTES}.
 * A connection's first unit is not part of the budget, so that the connection works when the budget is used up.
 */
public final class InFlight {

    /** Bytes that all connections of a client may have in flight. Threading: thread-safe. */
    public static final class Budget {

        private final long limit;
        private final AtomicLong taken = new AtomicLong();

        public Budget(long limit) {
            this.limit = limit;
        }

        boolean tryTake(long bytes) {
            boolean fits = taken.addAndGet(bytes) <= limit;
            if (!fits) {
                taken.addAndGet(-bytes);
            }
            return fits;
        }

        void take(long bytes) {
            taken.addAndGet(bytes);
        }
    }

    static final int STEP_BYTES = 64 * 1024;

    /** Number of low bits, which count the bytes. The higher bits count the commands. */
    private static final int BYTE_BITS = 44;

    private static final long ONE_COMMAND = 1L << BYTE_BITS;

    private volatile int maxCommands;
    private final long maxBytes;
    private final Budget budget;
    private final AtomicLong commandsAndBytes = new AtomicLong();

    /** Includes the connection's first unit. Written, like {@link #attached}, under the monitor of this object. */
    private volatile long reserved = STEP_BYTES;

    private boolean attached = true;

    public InFlight(ConnectionOptions options, Budget budget) {
        this.maxCommands = options.maxInFlight;
        this.maxBytes = options.bytesInFlight() / 2;
        this.budget = budget;
    }

    public int commands() {
        return (int) (commandsAndBytes.get() >>> BYTE_BITS);
    }

    public long bytes() {
        return bytes(commandsAndBytes.get());
    }

    private static long bytes(long both) {
        return both & ONE_COMMAND - 1;
    }

    /** Counts a command and returns null, or returns a description of the exceeded limit. */
    public @Nullable String tryAdd(long bytes) {
        long now = commandsAndBytes.addAndGet(ONE_COMMAND + bytes);
        boolean counted = false;
        try {
            String limit = exceededLimit(now);
            counted = limit == null;
            return limit;
        } finally {
            if (!counted) {
                // The stack may lack room for a call of remove.
                commandsAndBytes.addAndGet(-ONE_COMMAND - bytes);
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
            return "limit of " + budget.limit + " bytes in flight in the client reached: raise maxBytesInFlight, or"
                    + " send less";
        }
        return null;
    }

    private synchronized boolean reserve(long bytes) {
        long wanted = inSteps(bytes);
        if (wanted > reserved && attached) {
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

    /** Refuses further commands. Once {@link #commands} returns 0, every {@link #tryAdd} fails. */
    void refuseAll() {
        maxCommands = 0;
    }

    public void remove(int commands, long bytes) {
        commandsAndBytes.addAndGet(-(commands * ONE_COMMAND + bytes));
    }

    public synchronized void adjustReservation() {
        if (attached) {
            reserveExactly(inSteps(bytes()));
        }
    }

    public synchronized void attachBudget() {
        attached = true;
        adjustReservation();
    }

    public synchronized void detachBudget() {
        attached = false;
        reserveExactly(STEP_BYTES);
    }

    private void reserveExactly(long bytes) {
        budget.take(bytes - reserved);
        reserved = bytes;
    }
}
