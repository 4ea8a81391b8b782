// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ReadCommand;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sender that applies a {@link FailurePolicy} to failed commands. Threading: thread-safe. */
public record PolicySender(CommandSender first, CommandSender second, FailurePolicy policy)
        implements CommandSender, SecondAttempt {

    public static CommandSender around(CommandSender sender, FailurePolicy policy) {
        return policy == FailurePolicy.FAIL_FAST ? sender : new PolicySender(sender, sender, policy);
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        return new RetriedReply<>(first.send(command, mode), command, this);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            return first.call(command, timeoutNanos);
        } catch (MemcachedException e) {
            return awaitAfter(command, e, deadline);
        }
    }

    @Override
    public <T> @Nullable Reply<T> after(Command<T> failed, MemcachedException failure, SendMode mode, long restNanos) {
        ReadCommand<T> read = failed.asRead();
        if (read != null && policy.isMiss(failure)) {
            return Reply.Known.of(read.miss());
        }
        boolean isRetried = restNanos > 0 && policy.isRetried(failure, read != null && read.isRepeatable());
        Command<T> again = isRetried ? failed.again() : null;
        return again == null ? null : second.send(again, mode.retry());
    }

    /** Returns senders that use {@link #second} for second attempts, because the first connection may be lost. */
    @Override
    public List<CommandSender> spread(SendMode mode) {
        return first.spread(mode).stream()
                .map(each -> (CommandSender) new PolicySender(each, second, policy))
                .toList();
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        first.byServer(items, key)
                .forEach((server, group) ->
                        groups.put(server == first ? this : new PolicySender(server, server, policy), group));
        return groups;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return first.pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return first.context(verb, key, phase);
    }

    @Override
    public String toString() {
        return first + " under " + policy;
    }

    private record RetriedReply<T>(Reply<T> first, Command<T> command, SecondAttempt second) implements Reply<T> {

        @Override
        public T await(long timeoutNanos) {
            long deadline = System.nanoTime() + timeoutNanos;
            try {
                return first.await(timeoutNanos);
            } catch (MemcachedException e) {
                return second.awaitAfter(command, e, deadline);
            }
        }

        @Override
        public void join(JointWait wait) {
            first.join(wait);
        }

        @Override
        public CompletableFuture<T> toFuture(Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            return first.toFuture(timeout).exceptionallyCompose(thrown -> {
                Throwable failure = Futures.cause(thrown);
                CompletableFuture<T> future = second.futureAfter(command, failure, deadline - System.nanoTime());
                return future == null ? CompletableFuture.failedFuture(failure) : future;
            });
        }
    }
}
