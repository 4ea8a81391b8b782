// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How connections behave. All limits but {@code maxBytesInFlight} are of one connection, not of an array.
 *
 * <p>Threading: immutable.
 *
 * @param connectTimeout how long one attempt may take in all: name resolution, TCP, TLS, authentication and the
 *     server's first answer
 * @param livenessTimeout how long the oldest command in flight may stay unanswered before the connection is closed and
 *     replaced
 * @param heartbeatInterval after how long without traffic a heartbeat is sent to the server
 * @param maxInFlight how many commands may be queued or await their reply
 * @param maxBytesInFlight how many bytes of requests all connections of a client may have in flight; see {@link
 *     #bytesInFlight}
 * @param maxValueBytes the largest value read or written, in bytes
 * @param backoff how long to wait between attempts to connect
 * @param access TLS, authentication and the socket's own timeouts
 * @param protocol which protocol is spoken
 * @param completionExecutor completes futures, and so runs transcoders and the stages that depend on futures; null for
 *     the threads of the client
 * @param hidesKeys whether keys are left out of messages and Flight Recorder events
 */
public record ConnectionOptions(
        Duration connectTimeout,
        Duration livenessTimeout,
        Duration heartbeatInterval,
        int maxInFlight,
        long maxBytesInFlight,
        int maxValueBytes,
        Backoff backoff,
        ServerAccess access,
        Protocol protocol,
        @Nullable Executor completionExecutor,
        boolean hidesKeys) {

    /** The longest timeout: the whole days that fit an int of milliseconds, which sockets take. */
    public static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

    /**
     * 1.5 s to connect, 5 s liveness, heartbeat after 10 s, 1024 commands or 32 MiB in flight, values up to 1 MiB,
     * either protocol.
     */
    public static final ConnectionOptions DEFAULTS = new ConnectionOptions(
            Duration.ofMillis(1500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            1024,
            32 * 1024 * 1024,
            1024 * 1024,
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5)),
            ServerAccess.PLAIN,
            Protocol.AUTO,
            null,
            false);

    /**
     * Returns the timeout if it is valid.
     *
     * @param option the name of the option
     * @throws IllegalArgumentException if it is not more than zero, or longer than {@link #LONGEST_TIMEOUT}
     */
    public static Duration checkTimeout(String option, Duration timeout) {
        Objects.requireNonNull(timeout, () -> option + " is null");
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    option + " is " + timeout + ": it is more than zero and at most " + LONGEST_TIMEOUT);
        }
        return timeout;
    }

    /**
     * How many bytes of requests all connections may have in flight: {@link #maxBytesInFlight}, but at least four of
     * the largest values. A request counts until its reply has come, or its connection has failed.
     */
    public long bytesInFlight() {
        return Math.max(maxBytesInFlight, 4L * maxValueBytes);
    }

    /** How many of these bytes one connection may have in flight: the half. */
    public long connectionBytesInFlight() {
        return bytesInFlight() / 2;
    }

    /** The same with another {@link #connectTimeout}. */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return with(draft -> draft.connectTimeout = timeout);
    }

    /** The same with another {@link #livenessTimeout}. */
    public ConnectionOptions withLivenessTimeout(Duration timeout) {
        return with(draft -> draft.livenessTimeout = timeout);
    }

    /** The same with another {@link #heartbeatInterval}. */
    public ConnectionOptions withHeartbeatInterval(Duration interval) {
        return with(draft -> draft.heartbeatInterval = interval);
    }

    /** The same with another {@link #maxInFlight}. */
    public ConnectionOptions withMaxInFlight(int commands) {
        return with(draft -> draft.maxInFlight = commands);
    }

    /** The same with another {@link #maxBytesInFlight}. */
    public ConnectionOptions withMaxBytesInFlight(long bytes) {
        return with(draft -> draft.maxBytesInFlight = bytes);
    }

    /** The same with another {@link #maxValueBytes}. */
    public ConnectionOptions withMaxValueBytes(int bytes) {
        return with(draft -> draft.maxValueBytes = bytes);
    }

    /** The same with another {@link #backoff}. */
    public ConnectionOptions withBackoff(Backoff newBackoff) {
        return with(draft -> draft.backoff = newBackoff);
    }

    /** The same limits for a server that is reached by {@code newAccess}. */
    public ConnectionOptions withAccess(ServerAccess newAccess) {
        return with(draft -> draft.access = newAccess);
    }

    /** The same limits for a server with {@code newProtocol}. */
    public ConnectionOptions withProtocol(Protocol newProtocol) {
        return with(draft -> draft.protocol = newProtocol);
    }

    /** The same with another {@link #completionExecutor}. */
    public ConnectionOptions withCompletionExecutor(Executor executor) {
        return with(draft -> draft.completionExecutor = executor);
    }

    /** The same with another {@link #hidesKeys}. */
    public ConnectionOptions withHiddenKeys(boolean hidden) {
        return with(draft -> draft.hidesKeys = hidden);
    }

    private ConnectionOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Options of which one is about to change. */
    private static final class Draft {

        private Duration connectTimeout;
        private Duration livenessTimeout;
        private Duration heartbeatInterval;
        private int maxInFlight;
        private long maxBytesInFlight;
        private int maxValueBytes;
        private Backoff backoff;
        private ServerAccess access;
        private Protocol protocol;
        private @Nullable Executor completionExecutor;
        private boolean hidesKeys;

        Draft(ConnectionOptions from) {
            connectTimeout = from.connectTimeout;
            livenessTimeout = from.livenessTimeout;
            heartbeatInterval = from.heartbeatInterval;
            maxInFlight = from.maxInFlight;
            maxBytesInFlight = from.maxBytesInFlight;
            maxValueBytes = from.maxValueBytes;
            backoff = from.backoff;
            access = from.access;
            protocol = from.protocol;
            completionExecutor = from.completionExecutor;
            hidesKeys = from.hidesKeys;
        }

        ConnectionOptions options() {
            return new ConnectionOptions(
                    connectTimeout,
                    livenessTimeout,
                    heartbeatInterval,
                    maxInFlight,
                    maxBytesInFlight,
                    maxValueBytes,
                    backoff,
                    access,
                    protocol,
                    completionExecutor,
                    hidesKeys);
        }
    }
}
