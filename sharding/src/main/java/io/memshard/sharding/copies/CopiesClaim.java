// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Read of {@code getOrLoad}, which may win the right to load the value. Used by one thread at a time. */
public final class CopiesClaim<T> {

    private final Copies copies;
    private final ItemCommand<T> command;
    private final ItemKey key;
    private final Copy decider;
    private final List<Copy> others;
    private final Reply<@Nullable MetaReply> sent;

    private final Map<String, Integer> served = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();

    public CopiesClaim(Copies copies, ItemCommand<T> command) {
        this.copies = copies;
        this.command = command;
        this.key = ItemKey.of(command);
        this.decider = copies.decider();
        this.others = copies.but(decider);
        this.sent = decider.sender().send(command.raw());
    }

    public CompletableFuture<T> end(Deadline deadline) {
        return Futures.compose(sent.toFuture(deadline.share(others.size() + 1).left()), (reply, thrown) -> {
            if (thrown == null) {
                return answered(reply, deadline);
            }
            MemcachedException failure = Answer.known(thrown);
            failures.put(decider.name(), failure);
            return readOther(CopiesSender.isOfServer(failure) ? 0 : others.size(), failure, deadline);
        });
    }

    private static boolean hasValue(@Nullable MetaReply reply) {
        return reply != null && reply.data() != null && !reply.isPlaceholder();
    }

    private CompletableFuture<T> answered(@Nullable MetaReply reply, Deadline deadline) {
        served.put(decider.name(), hasValue(reply) ? 1 : 0);
        if (reply == null || reply.status() != StoreStatus.DONE) {
            ended(0);
            return copies.rules().addsBeforeMiss()
                    ? copies.addIfMissing(key, deadline)
                            .thenCompose(result -> result == Result.ABSENT ? result(reply) : again(deadline))
                    : result(reply);
        }
        if (copies.rules().addsOnMiss()
                && reply.has('W')
                && !reply.has('X')
                && reply.isPlaceholder()
                && reply.number('c') != 0) {
            return fill(reply, 0, deadline);
        }
        ended(0);
        return result(reply);
    }

    private void failed(Copy copy, Throwable thrown) {
        if (Futures.cause(thrown) instanceof MemcachedException failure) {
            failures.put(copy.name(), failure);
        } else {
            copies.notAdded(thrown);
        }
    }

    private void ended(int misses) {
        copies.ended(command, served, failures, misses, failures.size());
    }

    private CompletableFuture<T> result(@Nullable MetaReply reply) {
        return CompletableFuture.completedFuture(command.resultOf(reply));
    }

    private CompletableFuture<T> again(Deadline deadline) {
        return decider.sender().send(command.again()).toFuture(deadline.left());
    }

    private CompletableFuture<T> fill(MetaReply won, int at, Deadline deadline) {
        if (at == others.size()) {
            // The caller loads the value, which is correct even if another copy has a value.
            ended(1);
            return result(won);
        }
        Copy from = others.get(at);
        return Futures.compose(
                copies.copier()
                        .read(key, from.sender(), deadline)
                        .thenCompose(item -> item == null
                                ? CompletableFuture.completedFuture(Result.ABSENT)
                                : copies.copier().fill(key, won.number('c'), item, decider.sender(), deadline)),
                (result, thrown) -> {
                    if (result == Result.COPIED || result == Result.REFUSED) {
                        copies.added(result);
                        served.put(from.name(), 1);
                        ended(0);
                        return again(deadline);
                    }
                    if (thrown != null) {
                        failed(from, thrown);
                    }
                    return fill(won, at + 1, deadline);
                });
    }

    private CompletableFuture<T> readOther(int at, MemcachedException first, Deadline deadline) {
        Command<@Nullable MetaReply> plain = at < others.size() ? command.plainRead() : null;
        if (plain == null) {
            failures.values().forEach(other -> Futures.suppress(other, first));
            ended(0);
            return CompletableFuture.failedFuture(first);
        }
        Copy copy = others.get(at);
        return Futures.compose(
                copy.sender()
                        .send(plain)
                        .toFuture(deadline.share(others.size() - at).left()),
                (reply, thrown) -> {
                    if (reply != null && hasValue(reply) && !reply.has('X')) {
                        served.put(copy.name(), 1);
                        ended(0);
                        return result(reply);
                    }
                    if (thrown != null) {
                        failed(copy, thrown);
                    }
                    return readOther(at + 1, first, deadline);
                });
    }
}
