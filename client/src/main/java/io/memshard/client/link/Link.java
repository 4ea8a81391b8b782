// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MetaRelease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One established socket and the commands in flight on it. A link fails once, together with every command in flight on
 * it, and never reconnects. Threading: thread-safe.
 */
public interface Link {

    /** Receiver of a link's failures. Completes futures, and sends commands that follow a reply. */
    interface Listener {

        /** Reports the link's failure, at least once, before any command fails because of it. Must not block. */
        void linkLost(Link link, Throwable cause);

        /** Reports a command, sent at {@code sentNanos}, that timed out though the reader ran. Must not block. */
        default void timedOut(Link link, long sentNanos, String why) {}

        /** Completes the futures of failed commands, on other threads unless the client is closed. */
        default void failed(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /** Same as {@link #failed(List)}. The exchange has a future only if it waited for the link. */
        default void failed(Exchange<?> exchange) {
            if (exchange.hasFuture()) {
                failed(List.of(exchange));
            }
        }

        /**
         * Completes the futures of replies that were read. Uses other threads than {@link #failed(List)}, because a
         * stage of a reply's future may wait for a command that fails.
         */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Sends {@code claims} after a delay, on the link that exists then. Each of these commands releases a claim to
         * reload a stale item. Must not block or send immediately.
         */
        default void release(List<MetaRelease> claims) {}
    }

    /** Sends commands in their classic form from now on. Called before the link is passed to another thread. */
    void speakClassic();

    /** Returns whether commands are sent in their classic form. Constant once the link takes commands. */
    boolean speaksClassic();

    /** Sends a command, or fails it immediately if the link has failed or is full. */
    void send(Exchange<?> exchange);

    default <T extends @Nullable Object> T call(Exchange<T> exchange, long deadlineNanos) {
        exchange.registerCaller();
        send(exchange);
        return exchange.awaitAsRegistered(deadlineNanos - System.nanoTime());
    }

    /** Waits until the end of the exchange, the deadline or an interrupt. May do I/O in the meantime. */
    default void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Returns the object that waiting callers read from; null if another thread reads. */
    default @Nullable Object readFrom() {
        return null;
    }

    /** Notifies the listener. Fails this link if an older command without a key has no reply either. */
    default void timedOut(Exchange<?> exchange, long sentNanos, String why) {}

    /** Lets another thread read, because a caller stopped waiting before all its replies had arrived. */
    default void abandoned() {}

    int inFlight();

    long bytesInFlight();

    /** Returns whether each command has ended, and the reader has finished with it. */
    default boolean isEmpty() {
        return inFlight() == 0;
    }

    /** Returns the number of commands completed in the link's life, including handshakes and heartbeats. */
    long completed();

    /** Returns the number of completed commands that had not failed or timed out before their replies came. */
    long completedInTime();
    @Nullable
    Throwable failure();

    boolean isAlive();

    /** Returns {@link Phase#WRITTEN} until the socket has accepted all bytes, then {@link Phase#AWAITING_REPLY}. */
    Phase writtenPhase();

    /** Returns the state of the link as seen by a command that was sent at {@code sinceNanos} and has timed out. */
    LinkSnapshot snapshot(Exchange<?> exchange, long sinceNanos, long nowNanos);

    /**
     * Fails commands whose deadline has passed, and checks the health of the socket. Called by the timer. Returns
     * whether further calls are needed: a failed link needs some, in case an {@link Error} interrupted the failing of
     * its commands.
     */
    boolean tick(long nowNanos);

    /** Rejects commands of callers from now on, like a failed link. Commands in flight continue. */
    default void refuse() {}

    /**
     * Closes the link and fails every command in flight, even if the threads that serve it are blocked. Does not wait.
     * On a failed link, resumes the failing of its commands if an {@link Error} interrupted it.
     */
    void close();

    /** Waits until a closed link has released its resources, such as its socket, or the deadline has passed. */
    void awaitClosed(long deadlineNanos);
}
