// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MetaRelease;
import java.util.List;

/**
 * One established socket and the commands in flight on it. It fails once, and fails every command in
 * flight with it; it never reconnects.
 *
 * <p>Threading: thread-safe.
 */
public interface Link {

    /** Is told that a link has failed, completes futures for it, and sends what follows a reply. */
    interface Listener {

        /**
         * The link has failed, and each command on it has failed or is about to.
         *
         * <p>Called at least once, by any thread; must not block.
         *
         * @param cause why
         */
        void linkLost(Link link, Throwable cause);

        /**
         * A command that the link has taken had no reply in time, and nothing in this process is to blame for that.
         * Called by any thread; must not block.
         *
         * @param sentNanos when its time began, in {@link System#nanoTime()}
         * @param why what its failure says
         */
        default void timedOut(Link link, long sentNanos, String why) {}

        /**
         * Completes the futures of commands that have failed. Called by any thread, which might be the timer; does not
         * run what depends on them on that thread, unless the client is closed.
         */
        default void failed(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /** As {@link #failed(List)} for one, which has no future yet unless it was sent late. */
        default void failed(Exchange<?> exchange) {
            if (exchange.hasFuture()) {
                failed(List.of(exchange));
            }
        }

        /**
         * As {@link #failed(List)} for commands whose replies were read by a thread that must not be held up by what
         * depends on their futures. A dependent stage of one may wait for a command that fails.
         */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Sends these later, on whatever link there is then, because the caller of the reply has given up or has gone
         * on. Called by the reader; must not block or send at once.
         */
        default void release(List<MetaRelease> claims) {}
    }

    /** Sends a command, or fails it at once when the link has failed or is full. */
    void send(Exchange<?> exchange);

    /**
     * Waits until the exchange has ended or the deadline has passed or the thread is interrupted, perhaps
     * doing I/O meanwhile.
     *
     * @param deadlineNanos a {@link System#nanoTime()}
     */
    default void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Tells its listener: see {@link Listener#timedOut}. */
    default void timedOut(long sentNanos, String why) {}

    /** The caller of an exchange has given up waiting, and the exchange has ended without its reply. */
    default void abandoned() {}

    /** How many commands are queued or await their reply. */
    int inFlight();

    /** How many bytes their requests take, as they count against the limits. */
    long bytesInFlight();

    /** Whether it has nothing to do for any command: each has ended, and its reader is done with it. */
    default boolean isEmpty() {
        return inFlight() == 0;
    }

    /** How many commands it has completed in its life, greetings and heartbeats included. */
    long completed();

    /** Whether it has not failed. */
    boolean isAlive();

    /** How far a request has come that was written, as well as can be told at no cost to it. */
    Phase writtenPhase();

    /** The state of the link as a command sees it that has run out of time. */
    LinkSnapshot snapshot(Exchange<?> exchange, long nowNanos);

    /**
     * The timer's call: fails commands whose deadline has passed, and looks after the health of the socket.
     *
     * @param nowNanos a {@link System#nanoTime()}
     * @return whether it is to be called again. A failed link wants that for a while, to complete an end that was cut
     *     short
     */
    boolean tick(long nowNanos);

    /**
     * Refuses commands from now on, as a link that has failed. Those in flight go on. A link that is empty afterwards
     * stays so, but for what it asks for itself.
     */
    default void refuse() {}

    /**
     * Fails by this side's wish, and fails every command in flight, whatever the threads that serve it are held
     * up by. Waits for nothing. On a link that has failed it completes what an {@link Error} has cut short.
     */
    void close();

    /**
     * Waits until what a closed link has of its own, such as a socket, is given back, or the time is over.
     *
     * @param deadlineNanos a {@link System#nanoTime()}
     */
    void awaitClosed(long deadlineNanos);
}
