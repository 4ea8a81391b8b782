// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MetaRelease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Established socket with the commands in flight on it. A link fails once, together with all its commands, and never
 * reconnects. Threading: thread-safe.
 */
public interface Link {

    /** Receiver of a link's events, which also completes the futures of its commands. */
    interface Listener {

        /** Reports the link's failure before any command fails because of it, perhaps repeatedly. Must not block. */
        void linkLost(Link link, Throwable cause);

        /** Reports that a command sent at {@code sentNanos} timed out although the reader ran. Must not block. */
        default void timedOut(Link link, long sentNanos, String why) {}

        default void failed(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        default void failed(Exchange<?> exchange) {
            if (exchange.hasFuture()) {
                failed(List.of(exchange));
            }
        }

        /**
         * Completes the futures of commands whose replies were read. Uses other threads than {@link #failed(List)},
         * because a stage may wait for a command that fails.
         */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /**
         * Sends these commands after a delay, on the link that exists then. Each of them releases the claim to reload a
         * stale item. Must not block.
         */
        default void release(List<MetaRelease> claims) {}
    }

    /** Makes the link use classic text from now on. Called before other threads get the link. */
    void speakClassic();

    boolean speaksClassic();

    /** Sends a command, or fails it immediately if the link has failed or is full. */
    void send(Exchange<?> exchange);

    default <T extends @Nullable Object> T call(Exchange<T> exchange, long deadlineNanos) {
        exchange.registerCaller();
        send(exchange);
        return exchange.awaitAsRegistered(deadlineNanos - System.nanoTime());
    }

    /** Waits until the end of the exchange, the deadline or an interrupt. May do I/O meanwhile. */
    default void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Returns the object that waiting callers read from; null if callers do not read. */
    default @Nullable Object readFrom() {
        return null;
    }

    /** Notifies the listener. Fails this link if an older command without keys has no reply either. */
    default void timedOut(Exchange<?> exchange, long sentNanos, String why) {}

    /** Lets another thread read, because a caller stops waiting before all its replies have arrived. */
    default void abandoned() {}

    int inFlight();

    long bytesInFlight();

    default boolean isEmpty() {
        return inFlight() == 0;
    }

    /** Returns the number of commands completed on this link, including handshakes and heartbeats. */
    long completed();

    /** Returns the number of commands whose replies arrived before the commands failed. */
    long completedInTime();

    @Nullable
    Throwable failure();

    boolean isAlive();

    /** Returns {@link Phase#WRITTEN} until the socket has accepted all bytes, then {@link Phase#AWAITING_REPLY}. */
    Phase writtenPhase();

    /** Returns the state of the link, as seen by a command that was sent at {@code sinceNanos} and has timed out. */
    LinkSnapshot snapshot(Exchange<?> exchange, long sinceNanos, long nowNanos);

    /**
     * Fails commands whose deadline has passed, and checks the health of the socket. Called by the timer. Returns
     * whether further calls are needed. A failed link needs some, because an {@link Error} may have interrupted the
     * failure of its commands.
     */
    boolean tick(long nowNanos);

    /** Rejects further commands of callers. Commands in flight continue. */
    default void refuse() {}

    /**
     * Closes the link and fails every command in flight, even if its I/O threads are blocked. Does not wait. On a
     * failed link, fails commands that an {@link Error} has left.
     */
    void close();

    /** Waits until a closed link has released its socket, or the deadline has passed. */
    void awaitClosed(long deadlineNanos);
}
