package io.memshard.sharding;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.Backoff;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Memshard}. A setter refuses a bad value and names option and value.
 *
 * <p>Threading: confined to one thread.
 */
public final class MemshardBuilder {

    private static final int MAX_CONNECTIONS = 1024;
    private static final int MAX_IO_THREADS = 64;
    private static final int MAX_ITEM_BYTES = 1 << 30;

    private @Nullable ServerAddress server;
    private int connectionsPerServer = 2;
    private ConnectionChooser chooser = ConnectionChooser.stickyRoundRobin();
    private Transport transport = Transport.AUTO;
    private Duration requestTimeout = Duration.ofMillis(2500);
    private int ioThreads = Math.min(2, Runtime.getRuntime().availableProcessors());
    private ConnectionOptions connection = ConnectionOptions.DEFAULTS;
    private FailurePolicy failurePolicy = FailurePolicy.FAIL_FAST;
    private @Nullable ConnectionListener listener;

    MemshardBuilder() {}

    /**
     * The server: {@code host}, {@code host:port}, {@code [ipv6]:port}, or {@code unix:/path} for a Unix domain socket.
     * The port is 11211 where none is given.
     */
    public MemshardBuilder servers(String servers) {
        Objects.requireNonNull(servers, "servers is null");
        if (servers.isBlank()) {
            throw new IllegalArgumentException("servers is empty: write host:port");
        }
        // The path of a socket is taken whole, whatever is in it.
        if (!servers.strip().startsWith("unix:") && servers.strip().split("[,\\s]+").length > 1) {
            throw new IllegalArgumentException(
                    "servers is \"" + servers + "\": more than one server is not supported yet; name one as host:port");
        }
        try {
            server = ServerAddress.parse(servers);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("servers: " + e.getMessage(), e);
        }
        return this;
    }

    /** How many connections a server has; 2 by default. */
    public MemshardBuilder connectionsPerServer(int connections) {
        connectionsPerServer = checkedRange("connectionsPerServer", connections, 1, MAX_CONNECTIONS);
        return this;
    }

    /** Which connection takes a command; {@link ConnectionChooser#stickyRoundRobin()} by default. */
    public MemshardBuilder chooser(ConnectionChooser newChooser) {
        chooser = Objects.requireNonNull(newChooser, "chooser is null");
        return this;
    }

    /** Which threads do the I/O; {@link Transport#AUTO} by default. */
    public MemshardBuilder transport(Transport newTransport) {
        transport = Objects.requireNonNull(newTransport, "transport is null");
        return this;
    }

    /** Which protocol is spoken; {@link Protocol#AUTO} by default, which finds out. */
    public MemshardBuilder protocol(Protocol newProtocol) {
        connection = connection.withProtocol(Objects.requireNonNull(newProtocol, "protocol is null"));
        return this;
    }

    /** How long a command may take, from call to reply; 2.5 s by default. */
    public MemshardBuilder requestTimeout(Duration timeout) {
        requestTimeout = ConnectionOptions.checkTimeout("requestTimeout", timeout);
        return this;
    }

    /** How long an attempt to connect may take; 1.5 s by default. */
    public MemshardBuilder connectTimeout(Duration timeout) {
        connection = connection.withConnectTimeout(ConnectionOptions.checkTimeout("connectTimeout", timeout));
        return this;
    }

    /** How long a command may stay unanswered until its connection is replaced; 5 s by default. */
    public MemshardBuilder livenessTimeout(Duration timeout) {
        connection = connection.withLivenessTimeout(ConnectionOptions.checkTimeout("livenessTimeout", timeout));
        return this;
    }

    /** After how long without traffic a connection asks the server for a sign of life; 10 s by default. */
    public MemshardBuilder heartbeatInterval(Duration interval) {
        connection = connection.withHeartbeatInterval(ConnectionOptions.checkTimeout("heartbeatInterval", interval));
        return this;
    }

    /** How many commands a connection may have in flight; 1024 by default. A connection refuses more at once. */
    public MemshardBuilder maxInFlight(int commands) {
        connection = connection.withMaxInFlight(checkedRange("maxInFlight", commands, 1, 1 << 19));
        return this;
    }

    /** The largest value to send or take in, in bytes; 1 MiB, memcached's own default, by default. */
    public MemshardBuilder maxValueBytes(int bytes) {
        connection = connection.withMaxValueBytes(checkedRange("maxValueBytes", bytes, 1, MAX_ITEM_BYTES));
        return this;
    }

    /**
     * The longest wait before the first and before any later attempt to connect again; 50 ms and 5 s by default. This
     * limit doubles with each failure, and the wait is drawn evenly between zero and the limit.
     */
    public MemshardBuilder reconnectDelay(Duration first, Duration longest) {
        connection = connection.withBackoff(new Backoff(
                ConnectionOptions.checkTimeout("reconnectDelay", first),
                ConnectionOptions.checkTimeout("reconnectDelay", longest)));
        return this;
    }

    /** How many event-loop threads the connections share; 2, or 1 on a single core, by default. */
    public MemshardBuilder ioThreads(int threads) {
        ioThreads = checkedRange("ioThreads", threads, 1, MAX_IO_THREADS);
        return this;
    }

    /** Speak TLS; plain text by default. With TLS everything goes over event loops. */
    public MemshardBuilder tls(TlsOptions newTls) {
        return access(connection.access().withTls(Objects.requireNonNull(newTls, "tls is null")));
    }

    /** Authenticate as this user of a server started with {@code memcached -Y file}; no authentication by default. */
    public MemshardBuilder credentials(String user, String password) {
        Credentials fixed = new Credentials(user, password);
        return credentials(() -> fixed);
    }

    /**
     * Authenticate by what {@code current} returns before each attempt to connect, so that a password may change.
     *
     * @param current asked on a thread that connects; while it blocks, the connect timeout runs
     */
    public MemshardBuilder credentials(Supplier<Credentials> current) {
        return access(connection.access().withCredentials(Objects.requireNonNull(current, "credentials is null")));
    }

    /**
     * When TCP probes a connection on which nothing is received: TCP keep-alive is always on, by default with the
     * operating system's own values.
     *
     * @param idle how long nothing was received before the first probe
     * @param interval how long between probes
     * @param probes how many unanswered probes end the connection, 1 to 127
     */
    public MemshardBuilder keepAlive(Duration idle, Duration interval, int probes) {
        return access(connection.access().withKeepAlive(new KeepAlive(idle, interval, probes)));
    }

    /**
     * How long sent bytes may stay unacknowledged until TCP gives the connection up; the operating system's value by
     * default. On event loops on Linux only: the JDK's sockets, which caller-driven connections use, have no such
     * option, and rely on {@link #livenessTimeout}.
     */
    public MemshardBuilder tcpUserTimeout(Duration timeout) {
        return access(
                connection.access().withTcpUserTimeout(ConnectionOptions.checkTimeout("tcpUserTimeout", timeout)));
    }

    private MemshardBuilder access(ServerAccess access) {
        connection = connection.withAccess(access);
        return this;
    }

    /** What the clients do about failures; {@link FailurePolicy#FAIL_FAST} by default. */
    public MemshardBuilder failurePolicy(FailurePolicy policy) {
        failurePolicy = Objects.requireNonNull(policy, "failurePolicy is null");
        return this;
    }

    /** Adds a listener that is told what happens on the connections; none by default. */
    public MemshardBuilder listener(ConnectionListener another) {
        Objects.requireNonNull(another, "listener is null");
        listener = listener == null ? another : listener.and(another);
        return this;
    }

    /**
     * Connections with these settings.
     *
     * @throws IllegalArgumentException if no server is named, or if settings do not fit together
     */
    public Memshard build() {
        return new Memshard(options());
    }

    /**
     * These settings as a value, which later calls of the builder leave alone.
     *
     * @throws IllegalArgumentException if no server is named, or if settings do not fit together
     */
    public MemshardOptions options() {
        if (server == null) {
            throw new IllegalArgumentException("servers is not set: name a server as host:port");
        }
        connection.access().check(server, transport);
        return new MemshardOptions(
                server,
                connectionsPerServer,
                chooser,
                transport,
                requestTimeout,
                ioThreads,
                connection,
                failurePolicy,
                listener);
    }

    private static int checkedRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " is " + value + ": it is " + least + " to " + most);
        }
        return value;
    }
}
