package io.memshard.client.options;

import java.time.Duration;
import java.util.Objects;

/**
 * How connections behave. All limits are of one connection, not of an array.
 *
 * <p>Threading: immutable.
 *
 * @param connectTimeout how long one attempt may take in all: name resolution, TCP, TLS, authentication and the
 *     server's first answer
 * @param livenessTimeout how long the oldest command in flight may stay unanswered before the connection is closed and
 *     replaced
 * @param heartbeatInterval after how long without traffic a heartbeat is sent to the server
 * @param maxInFlight how many commands may be queued or await their reply
 * @param maxValueBytes the largest value read or written, in bytes
 * @param backoff how long to wait between attempts to connect
 * @param access TLS, authentication and the socket's own timeouts
 * @param protocol which protocol is spoken
 */
public record ConnectionOptions(
        Duration connectTimeout,
        Duration livenessTimeout,
        Duration heartbeatInterval,
        int maxInFlight,
        int maxValueBytes,
        Backoff backoff,
        ServerAccess access,
        Protocol protocol) {

    /** The longest timeout: the whole days that fit an int of milliseconds, which sockets take. */
    public static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

    /** 1.5 s to connect, 5 s liveness, heartbeat after 10 s, 1024 in flight, values up to 1 MiB, either protocol. */
    public static final ConnectionOptions DEFAULTS = new ConnectionOptions(
            Duration.ofMillis(1500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            1024,
            1024 * 1024,
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5)),
            ServerAccess.PLAIN,
            Protocol.AUTO);

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

    /** The same with another {@link #connectTimeout}. */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return new ConnectionOptions(
                timeout, livenessTimeout, heartbeatInterval, maxInFlight, maxValueBytes, backoff, access, protocol);
    }

    /** The same with another {@link #livenessTimeout}. */
    public ConnectionOptions withLivenessTimeout(Duration timeout) {
        return new ConnectionOptions(
                connectTimeout, timeout, heartbeatInterval, maxInFlight, maxValueBytes, backoff, access, protocol);
    }

    /** The same with another {@link #heartbeatInterval}. */
    public ConnectionOptions withHeartbeatInterval(Duration interval) {
        return new ConnectionOptions(
                connectTimeout, livenessTimeout, interval, maxInFlight, maxValueBytes, backoff, access, protocol);
    }

    /** The same with another {@link #maxInFlight}. */
    public ConnectionOptions withMaxInFlight(int commands) {
        return new ConnectionOptions(
                connectTimeout, livenessTimeout, heartbeatInterval, commands, maxValueBytes, backoff, access, protocol);
    }

    /** The same with another {@link #maxValueBytes}. */
    public ConnectionOptions withMaxValueBytes(int bytes) {
        return new ConnectionOptions(
                connectTimeout, livenessTimeout, heartbeatInterval, maxInFlight, bytes, backoff, access, protocol);
    }

    /** The same with another {@link #backoff}. */
    public ConnectionOptions withBackoff(Backoff newBackoff) {
        return new ConnectionOptions(
                connectTimeout,
                livenessTimeout,
                heartbeatInterval,
                maxInFlight,
                maxValueBytes,
                newBackoff,
                access,
                protocol);
    }

    /** The same limits for a server that is reached by {@code newAccess}. */
    public ConnectionOptions withAccess(ServerAccess newAccess) {
        return new ConnectionOptions(
                connectTimeout,
                livenessTimeout,
                heartbeatInterval,
                maxInFlight,
                maxValueBytes,
                backoff,
                newAccess,
                protocol);
    }

    /** The same limits for a server with {@code newProtocol}. */
    public ConnectionOptions withProtocol(Protocol newProtocol) {
        return new ConnectionOptions(
                connectTimeout,
                livenessTimeout,
                heartbeatInterval,
                maxInFlight,
                maxValueBytes,
                backoff,
                access,
                newProtocol);
    }
}
