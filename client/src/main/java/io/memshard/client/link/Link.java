// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MetaRelease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One established socket and the commands in flight on it. A link fails once, together with every command in flight on
 * it, and never reconnects.
 *
 * <p>Threading: thread-safe.
 */
public interface Link {

    /** Receiver of a link's failures. Completes futures, and sends commands that follow a reply. */
    interface Listener {

        /**
         * Called when the link has failed, before any command fails because of it.
         *
         * <p>Called at least once, by any thread; must not block.
         *
         * @param cause the cause of the failure
         */
        void linkLost(Link link, Throwable cause);

        /**
         * Called when a command on the link had no reply in time, though the link's reader was not blocked. Called by
         * any thread; must not block.
         *
         * @param sentNanos start of the command's timeout, in {@link System#nanoTime()}
         * @param why the message of the command's failure
         */
        default void timedOut(Link link, long sentNanos, String why) {}

        /**
         * Completes the futures of commands that have failed. Called by any thread, perhaps the timer; does not run
         * dependent stages on the calling thread, unless the client is closed.
         */
        default void failed(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Same as {@link #failed(List)}, for one exchange. At this point the exchange has a future only if it waited
         * for the link.
         */
        default void failed(Exchange<?> exchange) {
            if (exchange.hasFuture()) {
                failed(List.of(exchange));
            }
        }

        /**
         * Completes the futures of commands whose replies were read by a thread that dependent stages must not block.
         * Uses other threads than {@link #failed(List)}: a dependent stage of a reply may wait for a command that
         * fails.
         */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Sends {@code claims} after a delay, on the link that exists then. Each of these commands releases a claim to
         * reload a stale item. Called by the reader; must not block or send immediately.
         */
        default void release(List<MetaRelease> claims) {}
    }

    /**
     * Sends commands in their classic form from now on, though the link was opened for meta. Called before the link is
     * passed to another thread.
     */
    void speakClassic();

    /** Returns whether commands are sent in their classic form. Constant once the link takes commands. */
    boolean speaksClassic();

    /** Sends a command, or fails it immediately if the link has failed or is full. */
    void send(Exchange<?> exchange);

    /** Sends a command, and waits for its result until the deadline. */
    default <T extends @Nullable Object> T call(Exchange<T> exchange, long deadlineNanos) {
        exchange.registerCaller();
        send(exchange);
        return exchange.awaitAsRegistered(deadlineNanos - System.nanoTime());
    }

    /**
     * Waits until the exchange has ended, the deadline has passed or the thread is interrupted. May do I/O in the
     * meantime.
     *
     * @param deadlineNanos the deadline, in {@link System#nanoTime()}
     */
    default void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Returns the object that waiting callers read from; null if another thread reads. */
    default @Nullable Object readFrom() {
        return null;
    }

    /**
     * Notifies the listener: see {@link Listener#timedOut}. Fails this link if an older command that concerns no item,
     * such as a heartbeat, is still without a reply.
     */
    default void timedOut(Exchange<?> exchange, long sentNanos, String why) {}

    /** Called when a caller stops waiting before all its replies have arrived. Another thread may now have to read. */
    default void abandoned() {}

    /** Returns the number of commands that are queued or awaiting their reply. */
    int inFlight();

    /** Returns the bytes that the requests in flight take, which count towards the limits. */
    long bytesInFlight();

    /**
     * Returns whether no command needs this link any more: each command has ended, and the reader has finished with it.
     */
    default boolean isEmpty() {
        return inFlight() == 0;
    }

    /** Returns the number of commands completed in the link's life, including handshakes and heartbeats. */
    long completed();

    /**
     * Returns the number of completed commands that had not timed out or otherwise failed before their replies came.
     */
    long completedInTime();
    /** Returns the cause of the link's failure; null if the link is alive. */
    @Nullable
    Throwable failure();

    /** Returns whether the link has not failed. */
    boolean isAlive();

    /** Returns {@link Phase#WRITTEN} until the socket has accepted all bytes, then {@link Phase#AWAITING_REPLY}. */
    Phase writtenPhase();

    /** Returns the state of the link as seen by a command that was sent at {@code sinceNanos} and has timed out. */
    LinkSnapshot snapshot(Exchange<?> exchange, long sinceNanos, long nowNanos);

    /**
     * Fails commands whose deadline has passed, and checks the health of the socket. Called by the timer.
     *
     * @param nowNanos time of this tick, in {@link System#nanoTime()}
     * @return true if this method has to be called again. A failed link requests further calls for a while, in case an
     *     Error interrupted the failing of its commands
     */
    boolean tick(long nowNanos);

    /**
     * Rejects commands from now on, like a failed link. Commands in flight continue. A link that is empty afterwards
     * gets no more commands of callers.
     */
    default void refuse() {}

    /**
     * Closes the link and fails every command in flight, even if the threads that serve it are blocked. Does not wait.
     * On a failed link, resumes the failing of its commands if an {@link Error} interrupted it.
     */
    void close();

    /**
     * Waits until a closed link has released its resources, such as its socket, or the deadline has passed.
     *
     * @param deadlineNanos the deadline, in {@link System#nanoTime()}
     */
    void awaitClosed(long deadlineNanos);
}
