package io.memshard.template;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAccess;
import io.memshard.client.options.TlsOptions;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.Memshard;
import io.memshard.sharding.MemshardBuilder;
import io.memshard.sharding.MemshardOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link MemcachedConnectionFactory}. A setter refuses a bad value, and {@link #build()} a
 * combination that makes no sense; both name option and value. Timeouts and limits of waiting are more than zero and at
 * most 24 days.
 *
 * <p>Threading: confined to one thread.
 */
public final class MemcachedConnectionFactoryBuilder {

    private static final int MAX_SIZE = 1024;
    private static final int DEFAULT_POOL_SIZE = 20;
    private static final int DEFAULT_ARRAY_SIZE = 2;

    /** Checks and keeps the settings that our own builder has too. */
    private final MemshardBuilder memshard = Memshard.builder();

    private Engine engine = Engine.MEMSHARD;
    private Mode mode = Mode.SHARDED;
    private @Nullable Integer size;
    private boolean hasChooser;
    private @Nullable Duration poolWaitLimit;
    private boolean binaryProtocol;

    MemcachedConnectionFactoryBuilder() {}

    /** The client library; {@link Engine#MEMSHARD} by default. */
    public MemcachedConnectionFactoryBuilder engine(Engine newEngine) {
        engine = Objects.requireNonNull(newEngine, "engine is null");
        return this;
    }

    /** How connections are shared; {@link Mode#SHARDED} by default. */
    public MemcachedConnectionFactoryBuilder mode(Mode newMode) {
        mode = Objects.requireNonNull(newMode, "mode is null");
        return this;
    }

    /**
     * The server: {@code host}, {@code host:port}, {@code [ipv6]:port}, or {@code unix:/path} for a Unix domain socket;
     * port 11211 where none is given.
     */
    public MemcachedConnectionFactoryBuilder servers(String servers) {
        memshard.servers(servers);
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
        memshard.chooser(newChooser);
        hasChooser = true;
        return this;
    }

    /** How long a command may take, from call to reply; 2.5 s by default. */
    public MemcachedConnectionFactoryBuilder requestTimeout(Duration timeout) {
        memshard.requestTimeout(timeout);
        return this;
    }

    /** How long opening a connection may take; 1.5 s by default. */
    public MemcachedConnectionFactoryBuilder connectTimeout(Duration timeout) {
        memshard.connectTimeout(timeout);
        return this;
    }

    /** Mode pooled: how long to wait when all connections are borrowed; the request timeout by default. */
    public MemcachedConnectionFactoryBuilder poolWaitLimit(Duration limit) {
        poolWaitLimit = ConnectionOptions.checkTimeout("poolWaitLimit", limit);
        return this;
    }

    /** The largest value to send, in bytes; 1 MiB, memcached's own default, by default. */
    public MemcachedConnectionFactoryBuilder maxValueBytes(int bytes) {
        memshard.maxValueBytes(bytes);
        return this;
    }

    /** Engine memshard: which protocol is spoken; {@link Protocol#AUTO} by default, which finds out. */
    public MemcachedConnectionFactoryBuilder protocol(Protocol newProtocol) {
        memshard.protocol(newProtocol);
        return this;
    }

    /** Engine memshard: adds a listener that is told what happens on the connections; none by default. */
    public MemcachedConnectionFactoryBuilder listener(ConnectionListener another) {
        memshard.listener(another);
        return this;
    }

    /**
     * Engine spymemcached: the binary protocol instead of text. memcached has deprecated it, so it is for comparison
     * only.
     */
    public MemcachedConnectionFactoryBuilder binaryProtocol(boolean binary) {
        binaryProtocol = binary;
        return this;
    }

    /** Engine memshard: speak TLS; plain text by default. */
    public MemcachedConnectionFactoryBuilder tls(TlsOptions options) {
        memshard.tls(options);
        return this;
    }

    /**
     * Authenticate: with engine memshard as a user of {@code memcached -Y file}, with engine spymemcached and the
     * binary protocol by SASL PLAIN ({@code memcached -S}). No authentication by default.
     */
    public MemcachedConnectionFactoryBuilder credentials(String user, String password) {
        memshard.credentials(user, password);
        return this;
    }

    /** Engine memshard: when TCP probes an idle connection; the operating system's own values by default. */
    public MemcachedConnectionFactoryBuilder keepAlive(Duration idle, Duration interval, int probes) {
        memshard.keepAlive(idle, interval, probes);
        return this;
    }

    /** Engine memshard on Linux: how long sent bytes may stay unacknowledged; the system's value by default. */
    public MemcachedConnectionFactoryBuilder tcpUserTimeout(Duration timeout) {
        memshard.tcpUserTimeout(timeout);
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
        MemshardOptions options = memshard.options();
        checkFitForMode();
        checkFitForEngine(options);
        int connections = size != null ? size : defaultSize();
        try {
            if (mode == Mode.POOLED) {
                Supplier<EngineConnections> opener = opener(options.withConnections(1));
                Duration waitLimit = poolWaitLimit != null ? poolWaitLimit : options.requestTimeout();
                return new PooledConnectionFactory(engine, options, new ConnectionPool(opener, connections, waitLimit));
            }
            EngineConnections shared =
                    opener(options.withConnections(connections)).get();
            return new SharedConnectionFactory(engine, mode, options, shared);
        } catch (NoClassDefFoundError e) {
            throw missingLibrary(e);
        }
    }

    /** Opens connections as the builder is set now; what is set later does not matter. */
    private Supplier<EngineConnections> opener(MemshardOptions options) {
        boolean binary = binaryProtocol;
        return switch (engine) {
            case MEMSHARD -> () -> new MemshardConnections(options);
            case SPYMEMCACHED -> () -> new SpymemcachedConnections(options, binary);
        };
    }

    private void checkFitForMode() {
        if (mode == Mode.SINGLE && size != null && size != 1) {
            throw new IllegalArgumentException(
                    "size is " + size + " in mode SINGLE, which has 1 connection: use mode SHARDED or leave size out");
        }
        if (mode != Mode.SHARDED && hasChooser) {
            throw new IllegalArgumentException("chooser is set in mode " + mode
                    + ", which chooses nothing: use mode SHARDED or leave chooser out");
        }
        if (mode != Mode.POOLED && poolWaitLimit != null) {
            throw new IllegalArgumentException("poolWaitLimit is " + poolWaitLimit + " in mode " + mode
                    + ", which has no pool: use mode POOLED or leave poolWaitLimit out");
        }
    }

    private void checkFitForEngine(MemshardOptions options) {
        if (engine != Engine.SPYMEMCACHED) {
            if (binaryProtocol) {
                throw new IllegalArgumentException("binaryProtocol is true with engine " + engine
                        + ", which speaks the meta protocol: use engine SPYMEMCACHED or leave binaryProtocol out");
            }
            return;
        }
        Protocol protocol = options.connection().protocol();
        ServerAccess access = options.connection().access();
        if (options.server().isUnixSocket()) {
            throw new IllegalArgumentException("servers is " + options.server()
                    + " with engine SPYMEMCACHED, which speaks TCP only: use engine MEMSHARD");
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
        if (options.listener() != null) {
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
