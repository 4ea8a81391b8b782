// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builder of the settings of each connection. The builders of clients extend this class.
 *
 * <p>A setter rejects an invalid value with an {@link IllegalArgumentException} that names the option and the value.
 * Timeouts must be more than zero and at most 24 days.
 *
 * <p>Threading: confined to one thread.
 *
 * @param <B> the builder that the setters return
 */
public abstract class ConnectionSettings<B extends ConnectionSettings<B>> {

    private static final int MAX_IN_FLIGHT = 1 << 19;
    private static final int MAX_ITEM_BYTES = 1 << 30;

    private Duration firstReconnectDelay = Duration.ofMillis(50);
    private Duration longestReconnectDelay = Duration.ofSeconds(5);
    private @Nullable Executor completionExecutor;
    private Protocol protocol = Protocol.AUTO;
    private @Nullable TlsOptions tls;
    private @Nullable Supplier<Credentials> credentials;
    private Duration connectTimeout = Duration.ofMillis(1500);
    private Duration livenessTimeout = Duration.ofSeconds(5);
    private Duration heartbeatInterval = Duration.ofSeconds(10);
    private int maxValueBytes = 1024 * 1024;
    private int maxInFlight = 16_384;
    private long maxBytesInFlight = 32 * 1024 * 1024;
    private boolean hidesKeys;
    private final Set<String> set = new LinkedHashSet<>();

    /** Creates a builder with the default of each setting. */
    protected ConnectionSettings() {}

    /** Records that the setter of this name was called. Returns this builder. */
    @SuppressWarnings("unchecked") // A builder extends this with its own type.
    protected final B set(String setting) {
        set.add(setting);
        return (B) this;
    }

    /** Returns the names of the setters that were called, in the order of their first calls. */
    protected final Set<String> settings() {
        return Collections.unmodifiableSet(set);
    }

    /**
     * Sets the limits of the random wait before each attempt to reconnect. The limit is {@code first} (50 ms by
     * default) before the first attempt, and doubles with each failure, up to {@code longest} (5 s by default). The
     * attempt starts at most 50 ms after the wait.
     *
     * <p>For each server, a budget limits the sockets that may be opened. The budget is at first the number of sockets
     * to the server plus seven. One socket is added every 1.25 s, or every {@code longest} divided by the number of
     * sockets if this is shorter.
     */
    public final B reconnectDelay(Duration first, Duration longest) {
        ConnectionOptions.checkTimeout("reconnectDelay", first);
        ConnectionOptions.checkTimeout("reconnectDelay", longest);
        firstReconnectDelay = first;
        longestReconnectDelay = longest;
        return set("reconnectDelay");
    }

    /**
     * Completes the futures of the asynchronous client on {@code executor}, which then also runs transcoders and
     * dependent stages. By default, threads of the client run the transcoders and dependent stages; these must not
     * block. Each future is a separate task of the executor. If the executor rejects a task, or does not start it
     * before the future's deadline, a thread of the client runs the task.
     */
    public final B completionExecutor(Executor executor) {
        completionExecutor = Objects.requireNonNull(executor, "completionExecutor is null");
        return set("completionExecutor");
    }

    /** Sets the protocol. {@link Protocol#AUTO}, the default, detects the protocol that the server supports. */
    public final B protocol(Protocol newProtocol) {
        protocol = Objects.requireNonNull(newProtocol, "protocol is null");
        return set("protocol");
    }

    /** Enables TLS; the default is plain text. With TLS, event loops do all I/O. */
    public final B tls(TlsOptions newTls) {
        tls = Objects.requireNonNull(newTls, "tls is null");
        return set("tls");
    }

    /** Sets the user and password for a server started with {@code memcached -Y file}; no authentication by default. */
    public final B credentials(String user, String password) {
        Credentials fixed = new Credentials(user, password);
        return credentials(() -> fixed);
    }

    /**
     * Sets a supplier of credentials. Each attempt to connect calls the supplier, so that a password may change.
     *
     * @param current supplier, called on the thread that connects; the duration of the call counts towards the connect
     *     timeout
     */
    public final B credentials(Supplier<Credentials> current) {
        credentials = Objects.requireNonNull(current, "credentials is null");
        return set("credentials");
    }

    /** Sets the time limit of an attempt to connect; 1.5 s by default. */
    public final B connectTimeout(Duration timeout) {
        connectTimeout = ConnectionOptions.checkTimeout("connectTimeout", timeout);
        return set("connectTimeout");
    }

    /** Sets the time after which a connection is replaced if its oldest command has no reply; 5 s by default. */
    public final B livenessTimeout(Duration timeout) {
        livenessTimeout = ConnectionOptions.checkTimeout("livenessTimeout", timeout);
        return set("livenessTimeout");
    }

    /** Sets the time without traffic after which the client sends a heartbeat to the server; 10 s by default. */
    public final B heartbeatInterval(Duration interval) {
        heartbeatInterval = ConnectionOptions.checkTimeout("heartbeatInterval", interval);
        return set("heartbeatInterval");
    }

    /** Sets the maximum size of a value to send or receive, in bytes. The default is 1 MiB, as in memcached. */
    public final B maxValueBytes(int bytes) {
        maxValueBytes = checkedRange("maxValueBytes", bytes, 1, MAX_ITEM_BYTES);
        return set("maxValueBytes");
    }

    /**
     * Sets the maximum number of commands in flight on a socket; 16,384 by default. A connection may have two sockets.
     * Further commands are rejected at once.
     */
    public final B maxInFlight(int commands) {
        maxInFlight = checkedRange("maxInFlight", commands, 1, MAX_IN_FLIGHT);
        return set("maxInFlight");
    }

    /**
     * Sets the maximum number of bytes of requests in flight on all connections; 32 MiB by default. The client always
     * allows at least four times {@link #maxValueBytes}. One socket uses at most half of these bytes. Further requests
     * are rejected at once.
     */
    public final B maxBytesInFlight(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytesInFlight is " + bytes + ", but must be at least 1");
        }
        maxBytesInFlight = bytes;
        return set("maxBytesInFlight");
    }

    /**
     * Sets whether keys are omitted from exception messages, logs, Flight Recorder events and observations; false by
     * default. Methods such as {@link io.memshard.client.exception.CommandContext#key} still return keys, and listeners
     * of commands still receive keys.
     */
    public final B hideKeys(boolean hidden) {
        hidesKeys = hidden;
        return set("hideKeys");
    }

    /** Returns the settings as an immutable object. */
    protected final ConnectionOptions connectionOptions() {
        return new ConnectionOptions(
                connectTimeout,
                livenessTimeout,
                heartbeatInterval,
                maxInFlight,
                maxBytesInFlight,
                maxValueBytes,
                firstReconnectDelay,
                longestReconnectDelay,
                tls,
                credentials,
                protocol,
                completionExecutor,
                hidesKeys);
    }

    /**
     * Returns the value if it is in range.
     *
     * @throws IllegalArgumentException if the value is out of range; the message names the option and the range
     */
    protected static int checkedRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " is " + value + ", but must be " + least + " to " + most);
        }
        return value;
    }
}
