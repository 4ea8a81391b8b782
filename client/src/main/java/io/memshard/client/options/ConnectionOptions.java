// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of connections, which {@link ConnectionSettings} describes and checks. All limits except
 * {@code maxBytesInFlight} apply to each socket. A connection may have two sockets.
 *
 * <p>Threading: immutable.
 *
 * @param connectTimeout time limit of one attempt to connect, from the name resolution to the server's first answer
 * @param livenessTimeout time after which a connection is replaced if its oldest command still has no reply
 * @param heartbeatInterval time after which a connection without traffic sends a heartbeat to the server
 * @param maxInFlight maximum number of commands that are queued or await their replies
 * @param maxBytesInFlight maximum number of bytes of requests in flight on all connections of a client
 * @param maxValueBytes size of the largest value that is read or written, in bytes
 * @param firstReconnectDelay maximum random wait before the first attempt to reconnect
 * @param longestReconnectDelay maximum random wait before any attempt to reconnect
 * @param tls TLS settings; null for plain text
 * @param credentials supplier of the credentials, called before each attempt to connect; null for no authentication
 * @param protocol protocol of the commands
 * @param completionExecutor executor that completes futures; null for the threads of the client
 * @param hidesKeys whether keys are omitted from messages and Flight Recorder events
 */
public record ConnectionOptions(
        Duration connectTimeout,
        Duration livenessTimeout,
        Duration heartbeatInterval,
        int maxInFlight,
        long maxBytesInFlight,
        int maxValueBytes,
        Duration firstReconnectDelay,
        Duration longestReconnectDelay,
        @Nullable TlsOptions tls,
        @Nullable Supplier<Credentials> credentials,
        Protocol protocol,
        @Nullable Executor completionExecutor,
        boolean hidesKeys) {

    /** Longest timeout: 24 whole days, because sockets store timeouts as an int of milliseconds. */
    public static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

    /** Settings with their defaults. */
    public static final ConnectionOptions DEFAULTS = builder().build();

    /** Returns a builder with the default of each setting. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builder of {@link ConnectionOptions}. */
    public static final class Builder extends ConnectionSettings<Builder> {

        private Builder() {}

        /** Returns the settings as an immutable object. */
        public ConnectionOptions build() {
            return connectionOptions();
        }
    }

    /**
     * Returns the timeout if it is valid.
     *
     * @param option name of the option
     * @throws IllegalArgumentException if the timeout is not more than zero, or longer than {@link #LONGEST_TIMEOUT}
     */
    public static Duration checkTimeout(String option, Duration timeout) {
        Objects.requireNonNull(timeout, () -> option + " is null");
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    option + " is " + timeout + ", but must be more than zero and at most " + LONGEST_TIMEOUT);
        }
        return timeout;
    }

    /**
     * Checks that TLS, if set, is possible with {@code server} and {@code transport}.
     *
     * @throws IllegalArgumentException if TLS is set but not possible; the message says what to change
     */
    public void check(ServerAddress server, Transport transport) {
        if (tls != null && transport == Transport.CALLER_DRIVEN) {
            throw new IllegalArgumentException(
                    "tls is set with transport CALLER_DRIVEN, which supports plain text only: use AUTO or EVENT_LOOP");
        }
        if (tls != null && server.isUnixSocket()) {
            throw new IllegalArgumentException(
                    "tls is set for " + server + ", but TLS is not supported on a Unix domain socket: remove tls");
        }
    }

    /**
     * Returns the maximum number of bytes of requests in flight on all connections: {@link #maxBytesInFlight}, but at
     * least four times {@link #maxValueBytes}. A request counts until its reply arrives or its connection fails.
     */
    public long bytesInFlight() {
        return Math.max(maxBytesInFlight, 4L * maxValueBytes);
    }
}
