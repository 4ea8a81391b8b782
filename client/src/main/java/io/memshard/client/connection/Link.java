package io.memshard.client.connection;

import io.memshard.client.exception.Phase;

/**
 * One established socket and the commands in flight on it. It dies once, and takes every command in
 * flight with it; it never reconnects.
 *
 * <p>Threading: thread-safe.
 */
interface Link {

    /** Who wants to know that a link has died. */
    interface Listener {

        /**
         * The link is dead and each command on it has failed or is about to.
         *
         * <p>Called at least once, by any thread; must not block.
         *
         * @param cause why
         */
        void linkLost(Link link, Throwable cause);
    }

    /** Sends a command, or fails it at once when the link is dead or full. */
    void send(Exchange<?> exchange);

    /**
     * Waits until the exchange is over or the deadline has passed or the thread is interrupted, perhaps
     * doing I/O meanwhile.
     *
     * @param deadlineNanos a {@link System#nanoTime()}
     */
    default void awaitOver(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Tells that the caller of an exchange has given up waiting, and the exchange is over without its reply. */
    default void abandoned() {}

    /** How many commands are queued or await their reply. */
    int inFlight();

    /** Whether it has not died. */
    boolean isAlive();

    /** How far a request has come that was written, as well as can be told at no cost to it. */
    Phase writtenPhase();

    /** The state of the link as a command that has run out of time tells of it. */
    LinkSnapshot snapshot(Exchange<?> exchange, long nowNanos);

    /**
     * The timer's call: fails asynchronous commands whose deadline has passed, and looks after the health
     * of the socket.
     *
     * @param nowNanos a {@link System#nanoTime()}
     */
    void tick(long nowNanos);

    /** Dies by this side's wish, and takes every command in flight with it. Without effect on a dead link. */
    void close();
}
