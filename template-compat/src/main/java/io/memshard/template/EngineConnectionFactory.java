// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A factory over one of our engines, and where each command of a client finds a connection of its own.
 *
 * <p>Threading: as its interfaces say.
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

    /** Gets a connection, uses what takes its commands, and gives the connection back. */
    abstract <T> T lend(Function<CommandSender, T> use);

    /** Gets a connection, has its client do something, and gives the connection back. */
    abstract void ask(Consumer<MemcachedClient<EncodedValue>> question);

    @Override
    public final ServerHealth health(Duration timeout) {
        ConnectionOptions.checkTimeout("timeout", timeout);
        return ServerHealth.of(
                options.server(),
                () -> ask(client -> (engine == Engine.MEMSHARD
                                ? client.withFailurePolicy(FailurePolicy.FAIL_FAST)
                                : client)
                        .withTimeout(timeout)
                        .version()));
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
        return options.client(this, transcoder);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The connection is given back before the reply comes, and may take commands of other callers meanwhile.
     */
    @Override
    public final <T> Reply<T> send(Command<T> command) {
        return reply(sender -> sender.send(command));
    }

    @Override
    public final <T> T call(Command<T> command, long timeoutNanos) {
        return lend(sender -> sender.call(command, timeoutNanos));
    }

    @Override
    public final <T> Reply<T> sendAgain(Command<T> command) {
        return reply(sender -> sender.sendAgain(command));
    }

    private <T> Reply<T> reply(Function<CommandSender, Reply<T>> send) {
        try {
            return lend(send);
        } catch (MemcachedException e) {
            return new FailedReply<>(e);
        }
    }

    @Override
    public final <T> T callAgain(Command<T> command, long timeoutNanos) {
        return lend(sender -> sender.callAgain(command, timeoutNanos));
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
        return options.server().toString();
    }

    /** The reply to a command for which there was no connection. */
    private record FailedReply<T>(MemcachedException failure) implements Reply<T> {

        @Override
        public T await(long timeoutNanos) {
            throw failure;
        }

        @Override
        public CompletableFuture<T> toFuture(Duration timeout) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
