// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.cluster.ClusterClients;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A factory over one of our engines, which also lends connections for single commands.
 *
 * <p>Threading: as its interfaces say.
 */
abstract class EngineConnectionFactory implements MemcachedConnectionFactory {

    private final Engine engine;
    private final Mode mode;
    private final MemshardOptions options;

    EngineConnectionFactory(Engine engine, Mode mode, MemshardOptions options) {
        this.engine = engine;
        this.mode = mode;
        this.options = options;
    }

    /** What is done with a connection that is lent. */
    @FunctionalInterface
    interface Use<T> {

        /** Uses the connection at {@code index}. */
        T of(EngineConnections connections, int index);
    }

    /** Gets a connection, uses it, and gives it back. */
    abstract <T> T lend(Use<T> use);

    /** Whether there is one server, and never another. */
    boolean hasOneServer() {
        return options.servers().size() == 1;
    }

    /** Returns the server of a call, for its observer; null if there are several and it is not known without a loan. */
    @Nullable
    ServerAddress addressOf(@Nullable String key) {
        return hasOneServer() ? options.servers().get(0).address() : null;
    }

    private ClusterClients clients() {
        return new ClusterClients(options, new LentSender(this, null, null), this::addressOf);
    }

    @Override
    public final ServerHealth health(Duration timeout) {
        ConnectionOptions.checkTimeout("timeout", timeout);
        long startNanos = System.nanoTime();
        try {
            return ServerHealth.worst(lend((connections, index) -> connections.health(index, timeout)));
        } catch (MemcachedInterruptedException e) {
            throw e;
        } catch (MemcachedException e) {
            ServerAddress first = options.servers().get(0).address();
            return new ServerHealth(first, Duration.ofNanos(System.nanoTime() - startNanos), e);
        }
    }

    /**
     * A client whose commands each get a connection, as {@link #getConnection} does; no connection is held between
     * them.
     *
     * @throws MemcachedUnsupportedException if the engine takes none of our commands
     */
    final <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        if (engine != Engine.MEMSHARD) {
            throw new MemcachedUnsupportedException(
                    "engine " + engine
                            + " has neither meta commands, failure policies nor key prefixes: take the engine memshard",
                    null,
                    null);
        }
        return clients().blocking(transcoder);
    }

    /** An asynchronous client whose commands each get a connection, which is given back before the reply comes. */
    final <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return engine == Engine.MEMSHARD
                ? clients().async(transcoder)
                : new LentAsyncClient<>(this, (connections, index) -> connections.asyncConnection(index, transcoder));
    }

    /** Whether messages leave keys out. */
    final boolean hidesKeys() {
        return options.connection().hidesKeys();
    }

    /** Refuses a policy that needs a gutter if there is none. */
    final ServerDownPolicy check(ServerDownPolicy policy) {
        return options.failover().check(policy);
    }

    @Override
    public final Engine engine() {
        return engine;
    }

    @Override
    public final Mode mode() {
        return mode;
    }

    @Override
    public final String toString() {
        return options.shownServers();
    }
}
