// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.SettingsBuilder;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.discovery.Discovery;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link MemcachedConnectionFactory}: the engine, the mode, and the settings of {@link
 * io.memshard.Memshard} under the same names. A setter throws an exception for a bad value. {@link #build()} throws an
 * exception for settings that contradict each other. Both exceptions name the setting and the value.
 *
 * <p>By default, {@code connectionsPerServer} is 20 in mode pooled, 1 in mode single, and 2 in mode sharded with engine
 * spymemcached. In mode sharded with engine memshard, the default of {@code Memshard} applies.
 *
 * <p>Engine spymemcached supports only one server, and only these other settings: {@code connectionsPerServer}, {@code
 * chooser}, {@code requestTimeout}, {@code connectTimeout}, {@code maxValueBytes}, {@code hideKeys} and {@code
 * poolWaitLimit}.
 *
 * <p>In mode pooled, {@code getConnection()} throws an exception if the pool stays exhausted, regardless of the {@code
 * failurePolicy}. The methods {@code get} and {@code set} of a template without its own timeout also throw this
 * exception. A template {@linkplain MemcachedTemplate#withFailurePolicy with a failure policy} treats an exhausted pool
 * as a failure of the command.
 *
 * <p>For the settings of {@code Memshard}, see {@link SettingsBuilder}.
 *
 * <p>Threading: confined to one thread.
 */
public final class MemcachedConnectionFactoryBuilder extends SettingsBuilder<MemcachedConnectionFactoryBuilder> {

    private static final Map<Mode, Integer> DEFAULT_CONNECTIONS = Map.of(Mode.POOLED, 20, Mode.SHARDED, 2);

    static final Set<String> SPYMEMCACHED_SETTINGS = Set.of(
            "servers",
            "server",
            "connectionsPerServer",
            "chooser",
            "requestTimeout",
            "connectTimeout",
            "maxValueBytes",
            "hideKeys",
            "poolWaitLimit");

    private Engine engine = Engine.MEMSHARD;
    private Mode mode = Mode.SHARDED;
    private @Nullable Duration poolWaitLimit;

    MemcachedConnectionFactoryBuilder() {}

    /**
     * Sets the client library; {@link Engine#MEMSHARD} by default. Engine spymemcached writes its own log, under {@code
     * net.spy}, in which {@link #hideKeys} hides no keys.
     */
    public MemcachedConnectionFactoryBuilder engine(Engine newEngine) {
        engine = Objects.requireNonNull(newEngine, "engine is null");
        return this;
    }

    /** Sets how callers get connections; {@link Mode#SHARDED} by default. */
    public MemcachedConnectionFactoryBuilder mode(Mode newMode) {
        mode = Objects.requireNonNull(newMode, "mode is null");
        return this;
    }

    /** Sets the maximum wait for a free connection in mode pooled; the request timeout by default. */
    public MemcachedConnectionFactoryBuilder poolWaitLimit(Duration limit) {
        poolWaitLimit = Timeouts.check("poolWaitLimit", limit);
        return set("poolWaitLimit");
    }

    /**
     * Builds a factory with these settings. In mode pooled or with engine spymemcached, this method opens the
     * connections, each within the connect timeout. Otherwise the first commands open the connections, unless {@code
     * connectEagerly} opens the connections in the background.
     *
     * @throws IllegalArgumentException if a setting is missing, or does not fit the mode or the engine
     * @throws IllegalStateException if a library that the engine or mode needs is not on the class path
     * @throws io.memshard.client.exception.MemcachedException if connecting failed, a server did not answer, or a
     *     discovery found no servers in time; this method has then closed all connections
     */
    public MemcachedConnectionFactory build() {
        checkSettings();
        MemshardOptions options = unwrap(MemshardOptions.class);
        try {
            checkFitForMode(options);
            checkFitForEngine(options);
            return build(options);
        } catch (Throwable e) {
            Discovery discovery = options.discovery;
            if (discovery != null) {
                discovery.close();
            }
            throw e;
        }
    }

    private MemcachedConnectionFactory build(MemshardOptions options) {
        int connections = settings().contains("connectionsPerServer")
                ? options.connectionsPerServer
                : DEFAULT_CONNECTIONS.getOrDefault(mode, 1);
        try {
            if (mode == Mode.POOLED) {
                Supplier<EngineConnections> opener = opener(options.withConnections(1));
                Duration waitLimit = poolWaitLimit != null ? poolWaitLimit : options.requestTimeout;
                ConnectionPool pool = new ConnectionPool(opener, connections, waitLimit);
                return new PooledConnectionFactory(engine, options, pool);
            }
            boolean isSharded = mode == Mode.SHARDED && engine == Engine.MEMSHARD;
            EngineConnections shared = opener(isSharded ? options : options.withConnections(connections))
                    .get();
            return new SharedConnectionFactory(engine, mode, options, shared);
        } catch (NoClassDefFoundError e) {
            throw missingLibrary(e);
        }
    }

    private Supplier<EngineConnections> opener(MemshardOptions options) {
        return switch (engine) {
            case MEMSHARD -> () -> new MemshardConnections(options);
            case SPYMEMCACHED -> () -> new SpymemcachedConnections(options);
        };
    }

    /** Checks settings before {@code unwrap}, because {@code unwrap} waits until a discovery has found servers. */
    private void checkSettings() {
        if (mode == Mode.POOLED && settings().contains("discovery")) {
            throw new IllegalArgumentException(
                    "discovery is set in mode POOLED, which creates a client for each connection, but a"
                            + " discovery serves only one client: use mode SHARDED or SINGLE, or remove discovery");
        }
        if (engine == Engine.SPYMEMCACHED) {
            for (String setting : settings()) {
                if (!SPYMEMCACHED_SETTINGS.contains(setting)) {
                    throw new IllegalArgumentException(setting + " is set with engine SPYMEMCACHED, which does not"
                            + " support this setting: use engine MEMSHARD or remove " + setting);
                }
            }
        }
    }

    private void checkFitForMode(MemshardOptions options) {
        if (mode == Mode.SINGLE && settings().contains("connectionsPerServer") && options.connectionsPerServer != 1) {
            throw new IllegalArgumentException("connectionsPerServer is " + options.connectionsPerServer
                    + " in mode SINGLE, which has 1 connection: use mode SHARDED or remove connectionsPerServer");
        }
        if (mode != Mode.SHARDED && settings().contains("chooser")) {
            throw new IllegalArgumentException(
                    "chooser is set in mode " + mode + ", which uses no chooser: use mode SHARDED or remove chooser");
        }
        if (mode != Mode.POOLED && poolWaitLimit != null) {
            throw new IllegalArgumentException("poolWaitLimit is " + poolWaitLimit + " in mode " + mode
                    + ", which has no pool: use mode POOLED or remove poolWaitLimit");
        }
    }

    private void checkFitForEngine(MemshardOptions options) {
        if (engine != Engine.SPYMEMCACHED) {
            return;
        }
        if (options.servers.size() > 1) {
            throw new IllegalArgumentException("servers has " + options.servers.size()
                    + " entries, but engine SPYMEMCACHED supports only one server: use engine MEMSHARD");
        }
        if (options.server().isUnixSocket()) {
            throw new IllegalArgumentException("servers is " + options.server()
                    + " with engine SPYMEMCACHED, which supports only TCP: write host:port or use engine MEMSHARD");
        }
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
