// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.FoundItems;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaMultiWrite.Outcomes;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sender over several copies of the data. The thread that completes a command may send the next. Thread-safe. */
public abstract class CopiesSender implements RoutingSender {

    /** Time that a caller waits beyond its timeout, for the exception that names the cause. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Returns the sender for commands without an item, such as {@code version}. */
    protected abstract CommandSender serving(@Nullable String key);

    // The begin methods send the first commands. They never throw because of the state of a connection.

    protected abstract <T> Sent<T> begin(Command<T> command, ItemCommand<T> item);

    protected abstract <V> Sent<FoundItems<V>> beginReads(MetaMultiGet<V> command);

    protected abstract Sent<Outcomes> beginWrites(MetaMultiWrite command);

    protected <T> T call(Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        return send(command).await(timeoutNanos);
    }

    @Override
    public boolean outlivesCalls() {
        return true;
    }

    @Override
    public final <T> T call(Command<T> command, long timeoutNanos) {
        ItemsCommand<T> items = command.asItems();
        if (items == null) {
            return serving(command.key()).call(command, timeoutNanos);
        }
        return items instanceof ItemCommand<T> item
                ? call(command, item, timeoutNanos)
                : send(command).await(timeoutNanos);
    }

    private <T> Sent<T> begin(Command<T> command) {
        ItemsCommand<T> items = command.asItems();
        if (items instanceof ItemCommand<T> item) {
            return begin(command, item);
        }
        return items instanceof KeysCommand<T> many ? beginMany(many) : passed(serving(command.key()), command);
    }

    @SuppressWarnings("unchecked") // The class of the command declares the type of the result.
    private <T> Sent<T> beginMany(KeysCommand<T> many) {
        Sent<?> running =
                many instanceof MetaMultiGet<?> reads ? beginReads(reads) : beginWrites((MetaMultiWrite) many);
        return (Sent<T>) running;
    }

    protected final <T> T read(Copies copies, Command<T> command, ItemCommand<T> item, long timeoutNanos) {
        Deadline deadline = Deadline.in(timeoutNanos);
        MemcachedException failure = null;
        try {
            T found = copies.first()
                    .sender()
                    .call(
                            command,
                            deadline.share(copies.inOrder().size()).left().toNanos());
            if (found != null) {
                copies.hit(item);
                return found;
            }
        } catch (MemcachedException e) {
            failure = e;
        }
        CopyRead.OfOne<T> read = CopyRead.of(item);
        CompletableFuture<T> rest = new CopiesRead<>(copies, read)
                .take(read.keys(), read.answer(null, failure), deadline)
                .thenApply(read::result);
        return await(command, rest, deadline.left().toNanos());
    }

    protected static <V> Sent<FoundItems<V>> beginRead(Copies copies, CopyRead<V> read) {
        Sent<FoundItems<V>> first = read.send(copies.first().sender(), read.keys());
        return deadline -> new CopiesRead<>(copies, read).end(first, deadline);
    }

    protected static <T> Sent<T> passed(CommandSender to, Command<T> command) {
        Reply<T> reply = to.send(command);
        return deadline -> reply.toFuture(deadline.left());
    }

    @Override
    public final <T> Reply<T> send(Command<T> command, SendMode mode) {
        Sent<T> running = begin(command);
        return new Reply<>() {
            @Override
            public T await(long timeoutNanos) {
                return CopiesSender.this.await(command, running.end(Deadline.in(timeoutNanos)), timeoutNanos);
            }

            @Override
            public CompletableFuture<T> toFuture(Duration timeout) {
                return running.end(Deadline.in(timeout.toNanos()));
            }
        };
    }

    protected final <T> T await(Command<T> command, CompletableFuture<T> result, long timeoutNanos) {
        try {
            return result.get(Math.max(0, timeoutNanos) + GRACE_NANOS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw thrown(e);
        } catch (TimeoutException e) {
            throw new MemcachedTimeoutException(
                    "no result within the requestTimeout",
                    context(command.verb(), command.key(), Phase.AWAITING_REPLY),
                    null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while waiting for the result",
                    context(command.verb(), command.key(), Phase.AWAITING_REPLY),
                    e);
        }
    }

    private static RuntimeException thrown(ExecutionException wrapping) {
        Throwable cause = wrapping.getCause() == null ? wrapping : Futures.cause(wrapping.getCause());
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    /** Returns whether another server may succeed despite this failure. */
    public static boolean isOfServer(MemcachedException failure) {
        return failure instanceof MemcachedTimeoutException
                || failure instanceof MemcachedConnectionException
                || failure instanceof MemcachedOverloadException
                || failure instanceof MemcachedProtocolException
                || failure instanceof MemcachedServerException;
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        CommandContext known = serving(null).context(verb, key, phase);
        return new CommandContext(toString(), 0, verb, key, phase, null, known.hidesKey());
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return serving(null).pause(nanos);
    }
}
