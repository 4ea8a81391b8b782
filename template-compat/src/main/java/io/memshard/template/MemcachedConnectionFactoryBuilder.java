package io.memshard.template;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.template.engine.EngineConnections;
import io.memshard.template.engine.EngineSettings;
import io.memshard.template.memshard.MemshardConnections;
import io.memshard.template.pool.ConnectionPool;
import io.memshard.template.spymemcached.SpymemcachedConnections;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link MemcachedConnectionFactory}. A bad value is refused by its setter, and a
 * combination that makes no sense by {@link #build()}, naming option and value. Time-outs and limits of
 * waiting are more than zero and at most 24 days.
 *
 * <p>Threading: confined to one thread.
 */
public final class MemcachedConnectionFactoryBuilder {

    private static final int MAX_SIZE = 1024;
    private static final int DEFAULT_POOL_SIZE = 20;
    private static final int DEFAULT_ARRAY_SIZE = 2;
    private static final int MAX_ITEM_BYTES = 1 << 30;

    private Engine engine = Engine.MEMSHARD;
    private Mode mode = Mode.SHARDED;
    private @Nullable ServerAddress server;
    private @Nullable Integer size;
    private @Nullable ConnectionChooser chooser;
    private Duration requestTimeout = Duration.ofMillis(2500);
    private Duration connectTimeout = Duration.ofMillis(1500);
    private @Nullable Duration poolWaitLimit;
    private int maxValueBytes = 1 << 20;
    private Protocol protocol = Protocol.AUTO;
    private boolean binaryProtocol;
    private ServerAccess access = ServerAccess.PLAIN;
    private @Nullable ConnectionListener listener;

    MemcachedConnectionFactoryBuilder() {}

    /** The client library; {@link Engine#MEMSHARD} by default. */
    public MemcachedConnectionFactoryBuilder engine(Engine newEngine) {
        engine = Objects.requireNonNull(newEngine, "engine");
        return this;
    }

    /** How connections are shared; {@link Mode#SHARDED} by default. */
    public MemcachedConnectionFactoryBuilder mode(Mode newMode) {
        mode = Objects.requireNonNull(newMode, "mode");
        return this;
    }

    /**
     * The server: {@code host}, {@code host:port}, {@code [ipv6]:port}, or {@code unix:/path} for a Unix domain socket;
     * port 11211 where none is given.
     */
    public MemcachedConnectionFactoryBuilder servers(String servers) {
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

    /**
     * How many connections, 1 to 1024: 20 by default in mode pooled, 2 in mode sharded. In mode single
     * there is 1.
     */
    public MemcachedConnectionFactoryBuilder size(int connections) {
        if (connections < 1 || connections > MAX_SIZE) {
            throw new IllegalArgumentException("size is " + connections + ": it is 1 to " + MAX_SIZE);
        }
        size = connections;
        return this;
    }

    /** Mode sharded: which connection takes a command; {@link ConnectionChooser#stickyRoundRobin()} by default. */
    public MemcachedConnectionFactoryBuilder chooser(ConnectionChooser newChooser) {
        chooser = Objects.requireNonNull(newChooser, "chooser");
        return this;
    }

    /** How long a command may take, from call to reply; 2.5 s by default. */
    public MemcachedConnectionFactoryBuilder requestTimeout(Duration timeout) {
        requestTimeout = ConnectionOptions.checkedTimeout("requestTimeout", timeout);
        return this;
    }

    /** How long opening a connection may take; 1.5 s by default. */
    public MemcachedConnectionFactoryBuilder connectTimeout(Duration timeout) {
        connectTimeout = ConnectionOptions.checkedTimeout("connectTimeout", timeout);
        return this;
    }

    /** Mode pooled: how long to wait when all connections are borrowed; the request timeout by default. */
    public MemcachedConnectionFactoryBuilder poolWaitLimit(Duration limit) {
        poolWaitLimit = ConnectionOptions.checkedTimeout("poolWaitLimit", limit);
        return this;
    }

    /** The largest value to send, in bytes; 1 MiB, memcached's own default, by default. */
    public MemcachedConnectionFactoryBuilder maxValueBytes(int bytes) {
        if (bytes < 1 || bytes > MAX_ITEM_BYTES) {
            throw new IllegalArgumentException("maxValueBytes is " + bytes + ": it is 1 to " + MAX_ITEM_BYTES);
        }
        maxValueBytes = bytes;
        return this;
    }

    /** Engine memshard: which protocol is spoken; {@link Protocol#AUTO} by default, which finds out. */
    public MemcachedConnectionFactoryBuilder protocol(Protocol newProtocol) {
        protocol = Objects.requireNonNull(newProtocol, "protocol");
        return this;
    }

    /** Engine memshard: who is told what happens on the connections, besides those named before; nobody by default. */
    public MemcachedConnectionFactoryBuilder listener(ConnectionListener another) {
        Objects.requireNonNull(another, "listener");
        listener = listener == null ? another : listener.and(another);
        return this;
    }

    /**
     * Engine spymemcached: the binary protocol instead of text. memcached has deprecated it; it is for
     * comparison.
     */
    public MemcachedConnectionFactoryBuilder binaryProtocol(boolean binary) {
        binaryProtocol = binary;
        return this;
    }

    /** Engine memshard: speak TLS; plain text by default. */
    public MemcachedConnectionFactoryBuilder tls(TlsOptions options) {
        access = access.withTls(Objects.requireNonNull(options, "tls"));
        return this;
    }

    /**
     * Authenticate: with engine memshard as a user of {@code memcached -Y file}, with engine spymemcached and the
     * binary protocol by SASL PLAIN ({@code memcached -S}). Nobody by default.
     */
    public MemcachedConnectionFactoryBuilder credentials(String user, String password) {
        Credentials fixed = new Credentials(user, password);
        access = access.withCredentials(() -> fixed);
        return this;
    }

    /** Engine memshard: when TCP probes an idle connection; the operating system's own values by default. */
    public MemcachedConnectionFactoryBuilder keepAlive(Duration idle, Duration interval, int probes) {
        access = access.withKeepAlive(new KeepAlive(idle, interval, probes));
        return this;
    }

    /** Engine memshard on Linux: how long sent bytes may stay unacknowledged; the system's value by default. */
    public MemcachedConnectionFactoryBuilder tcpUserTimeout(Duration timeout) {
        access = access.withTcpUserTimeout(ConnectionOptions.checkedTimeout("tcpUserTimeout", timeout));
        return this;
    }

    /**
     * A factory with these settings. Mode pooled and engine spymemcached connect here, each connection
     * within the connect timeout; otherwise connections are opened when first used.
     *
     * @throws IllegalArgumentException if an option is missing or does not fit the mode or engine
     * @throws IllegalStateException if a library that the engine or mode needs is not on the class path
     * @throws io.memshard.client.exception.MemcachedConnectionException if connecting failed; nothing is
     *     left open then
     */
    public MemcachedConnectionFactory build() {
        EngineSettings settings = checkedSettings();
        try {
            return mode == Mode.POOLED ? pooled(settings) : new SharedConnectionFactory(engine, mode, open(settings));
        } catch (NoClassDefFoundError e) {
            throw missingLibrary(e);
        }
    }

    private MemcachedConnectionFactory pooled(EngineSettings settings) {
        Duration waitLimit = poolWaitLimit == null ? requestTimeout : poolWaitLimit;
        EngineSettings each = settings.withOneConnection();
        return new PooledConnectionFactory(
                engine, new ConnectionPool(() -> open(each), settings.connections(), waitLimit));
    }

    private EngineConnections open(EngineSettings settings) {
        return switch (engine) {
            case MEMSHARD -> MemshardConnections.open(settings);
            case SPYMEMCACHED -> SpymemcachedConnections.open(settings);
        };
    }

    private EngineSettings checkedSettings() {
        if (server == null) {
            throw new IllegalArgumentException("servers is not set: name a server as host:port");
        }
        if (mode == Mode.SINGLE && size != null && size != 1) {
            throw new IllegalArgumentException(
                    "size is " + size + " in mode SINGLE, which has 1 connection: use mode SHARDED or leave size out");
        }
        if (mode != Mode.SHARDED && chooser != null) {
            throw new IllegalArgumentException("chooser is set in mode " + mode
                    + ", which chooses nothing: use mode SHARDED or leave chooser out");
        }
        if (mode != Mode.POOLED && poolWaitLimit != null) {
            throw new IllegalArgumentException("poolWaitLimit is " + poolWaitLimit + " in mode " + mode
                    + ", which has no pool: use mode POOLED or leave poolWaitLimit out");
        }
        if (engine != Engine.SPYMEMCACHED && binaryProtocol) {
            throw new IllegalArgumentException("binaryProtocol is true with engine " + engine
                    + ", which speaks the meta protocol: use engine SPYMEMCACHED or leave binaryProtocol out");
        }
        if (engine == Engine.SPYMEMCACHED) {
            checkFitForSpymemcached(server);
        } else {
            access.check(server, Transport.AUTO);
        }
        return new EngineSettings(
                server,
                size != null ? size : defaultSize(),
                chooser != null ? chooser : ConnectionChooser.stickyRoundRobin(),
                requestTimeout,
                connectTimeout,
                maxValueBytes,
                protocol,
                binaryProtocol,
                access,
                listener);
    }

    private void checkFitForSpymemcached(ServerAddress address) {
        if (address.isUnixSocket()) {
            throw new IllegalArgumentException(
                    "servers is " + address + " with engine SPYMEMCACHED, which speaks TCP only: use engine MEMSHARD");
        }
        if (access.credentials() != null && !binaryProtocol) {
            throw new IllegalArgumentException(
                    "credentials are set with engine SPYMEMCACHED and the text protocol, over"
                            + " which it cannot authenticate: set binaryProtocol(true) for SASL, or use engine MEMSHARD");
        }
        if (protocol != Protocol.AUTO) {
            throw new IllegalArgumentException("protocol is " + protocol
                    + " with engine SPYMEMCACHED, which speaks classic text, or binary with binaryProtocol(true): use"
                    + " engine MEMSHARD or leave protocol out");
        }
        if (listener != null) {
            throw new IllegalArgumentException("listener is set with engine SPYMEMCACHED, which would tell it nothing:"
                    + " use engine MEMSHARD or leave listener out");
        }
        if (access.tls() != null || access.keepAlive() != null || access.tcpUserTimeout() != null) {
            throw new IllegalArgumentException(
                    "tls, keepAlive or tcpUserTimeout is set with engine SPYMEMCACHED, which has none of them: use"
                            + " engine MEMSHARD or leave them out");
        }
    }

    private int defaultSize() {
        return switch (mode) {
            case POOLED -> DEFAULT_POOL_SIZE;
            case SINGLE -> 1;
            case SHARDED -> DEFAULT_ARRAY_SIZE;
        };
    }

    private IllegalStateException missingLibrary(NoClassDefFoundError e) {
        String missing = String.valueOf(e.getMessage());
        if (missing.startsWith("net/spy/")) {
            return new IllegalStateException(
                    "engine SPYMEMCACHED needs spymemcached on the class path: add net.spy:spymemcached", e);
        }
        if (missing.startsWith("org/apache/commons/pool2/")) {
            return new IllegalStateException(
                    "mode POOLED needs Commons Pool 2 on the class path: add org.apache.commons:commons-pool2", e);
        }
        throw e;
    }
}
