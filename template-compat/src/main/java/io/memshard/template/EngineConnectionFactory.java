// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.KnownReply;
import io.memshard.client.connection.Reply;
import io.memshard.client.connection.SendMode;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import io.memshard.sharding.cluster.ClusterClients;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Factory over one engine, and sender of a client's commands. Each command gets its own connection.
 *
 * <p>Threading: as documented by its interfaces.
 */
abstract class EngineConnectionFactory implements MemcachedConnectionFactory, CommandSender {

    private final Engine engine;
    private final Mode mode;
    private final MemshardOptions options;

    EngineConnectionFactory(Engine engine, Mode mode, MemshardOptions options) {
        this.engine = engine;
        this.mode = mode;
        this.options = options;
    }

    /** Action on a connection that is lent to it. */
    @FunctionalInterface
    interface Use<T> {

        /** Uses the connection at {@code index}. */
        T of(EngineConnections connections, int index);
    }

    /** Gets a connection, uses it and returns it. */
    abstract <T> T lend(Use<T> use);

    /** Returns whether there is exactly one server, which never changes. */
    boolean hasOneServer() {
        return options.servers().size() == 1;
    }

    /** Returns the server of a call, for its observer; null if there are several and it is not known without a loan. */
    @Nullable
    ServerAddress addressOf(@Nullable String key) {
        return hasOneServer() ? options.servers().get(0).address() : null;
    }

    private ClusterClients clients() {
        return new ClusterClients(options, this, this::addressOf);
    }

    private <T> T lendSender(Function<CommandSender, T> use) {
        return lend((connections, index) -> use.apply(connections.sender(index)));
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
     * Returns a client that gets a connection for each command, as {@link #getConnection} does. No connection is held
     * between commands.
     *
     * @throws MemcachedUnsupportedException if the engine does not take Memshard's commands
     */
    final <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        if (engine != Engine.MEMSHARD) {
            throw new MemcachedUnsupportedException(
                    "engine " + engine
                            + " has neither meta commands, failure policies nor key prefixes: use engine MEMSHARD",
                    null,
                    null);
        }
        return clients().blocking(transcoder);
    }

    /**
     * Returns an asynchronous client that gets a connection for each command, and releases it before the reply arrives.
     */
    final <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return engine == Engine.MEMSHARD
                ? clients().async(transcoder)
                : new LentAsyncClient<>(this, (connections, index) -> connections.asyncConnection(index, transcoder));
    }

    /** Returns whether messages leave keys out. */
    final boolean hidesKeys() {
        return options.connection().hidesKeys();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The connection is released before the reply arrives, and may take commands of other callers meanwhile.
     */
    @Override
    public final <T> Reply<T> send(Command<T> command, SendMode mode) {
        return reply(sender -> sender.send(command, mode));
    }

    @Override
    public final <T> T call(Command<T> command, long timeoutNanos) {
        return lendSender(sender -> sender.call(command, timeoutNanos));
    }

    private <T> Reply<T> reply(Function<CommandSender, Reply<T>> send) {
        try {
            return lendSender(send);
        } catch (MemcachedException e) {
            return KnownReply.failed(e);
        }
    }

    @Override
    public final CompletableFuture<@Nullable Void> pause(long nanos) {
        return lendSender(sender -> sender.pause(nanos));
    }

    @Override
    public final <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        if (hasOneServer()) {
            return Map.of(this, items);
        }
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        lendSender(sender -> sender.byServer(items, key))
                .forEach((server, group) -> groups.put(new OneServer(this, key.apply(group.get(0))), group));
        return groups;
    }

    /** Sender for one server, identified by a key that the server owns. Each command gets its own connection. */
    private record OneServer(EngineConnectionFactory factory, String key) implements CommandSender {

        private CommandSender of(CommandSender sender) {
            return sender.byServer(List.of(key), any -> any).keySet().iterator().next();
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            return factory.reply(sender -> of(sender).send(command, mode));
        }

        @Override
        public <T> T call(Command<T> command, long timeoutNanos) {
            return factory.lendSender(sender -> of(sender).call(command, timeoutNanos));
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return factory.pause(nanos);
        }

        @Override
        public String toString() {
            return factory.lendSender(sender -> of(sender).toString());
        }
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
