package io.memshard.client.connection;

import io.memshard.client.exception.Phase;
import java.util.List;

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

        /**
         * Completes the futures of commands that the link has settled without a reply. Called by any thread, which
         * might be the timer; does not run what depends on them on it, unless the client is closed.
         */
        default void settled(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Completes the futures of commands whose replies were read by a thread that must not be held up by what depends
         * on them. Called by any thread; does not run what depends on them on it, unless the client is closed.
         */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /** The same as {@link #settled(List)} for one, which has no future yet unless it was sent late. */
        default void settled(Exchange<?> exchange) {
            if (exchange.hasFuture()) {
                settled(List.of(exchange));
            }
        }
    }

    /** Sends a command, or settles it at once when the link is dead or full. */
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
     * The timer's call: sees to it that commands whose deadline has passed fail, and looks after the health of the
     * socket.
     *
     * @param nowNanos a {@link System#nanoTime()}
     * @return whether it is to be called again; a dead link wants that for a while, to complete an end that was cut short
     */
    boolean tick(long nowNanos);

    /**
     * Dies by this side's wish, and takes every command in flight with it, whatever the threads that serve it are held
     * up by. Without effect on a dead link. Waits for nothing.
     */
    void close();

    /**
     * Waits until what a closed link has of its own, such as a socket, is given back, or the time is over.
     *
     * @param deadlineNanos a {@link System#nanoTime()}
     */
    void awaitClosed(long deadlineNanos);
}
