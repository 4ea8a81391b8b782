// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Effect;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopyWrite;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.Sent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Write in one fleet, and delete in the other. The source fleet must reply first: see {@link Migration}. Immutable. */
final class MoveWrite<R> {

    private final Fleets fleets;
    private final CopyWrite<R> write;
    private final Copy primary;
    private final Copy secondary;
    private final Sent<Map<String, Answer>> first;

    MoveWrite(Fleets fleets, CopyWrite<R> write, Copy primary) {
        this.fleets = fleets;
        this.write = write;
        this.primary = primary;
        this.secondary = fleets.other(primary);
        this.first = isSourceFirst() ? write.send(primary.sender()) : deletes(key -> true);
    }

    private boolean isSourceFirst() {
        return primary.equals(fleets.source());
    }

    private Sent<Map<String, Answer>> deletes(Predicate<String> ofKeys) {
        List<String> keys =
                write.keys().stream().filter(fleets::differs).filter(ofKeys).toList();
        return keys.isEmpty()
                ? deadline -> CompletableFuture.completedFuture(Map.of())
                : write.delete(secondary.sender(), keys);
    }

    private Effect effect() {
        return write.command().effect();
    }

    CompletableFuture<R> end(Deadline deadline) {
        CompletableFuture<Map<String, Answer>> answers = first.end(deadline.share(2));
        CompletableFuture<Map<String, Answer>> rest = isSourceFirst()
                ? Futures.compose(answers, (served, thrown) -> afterPrimary(served, thrown, deadline))
                : answers.thenCompose(deleted -> afterDeletes(deleted, deadline));
        return rest.thenApply(write::result);
    }

    private CompletableFuture<Map<String, Answer>> afterPrimary(
            Map<String, Answer> served, @Nullable Throwable thrown, Deadline deadline) {
        if (thrown != null) {
            return deletes(key -> true)
                    .end(deadline)
                    .thenCompose(deleted -> CompletableFuture.failedFuture(Futures.cause(thrown)));
        }
        return deletes(key -> mayHaveChanged(Objects.requireNonNull(served.get(key))))
                .end(deadline)
                .thenApply(deleted -> joined(served, deleted));
    }

    private boolean mayHaveChanged(Answer answer) {
        if (answer.failure() != null) {
            return !answer.failure().isSafeToRetry();
        }
        return switch (effect()) {
            case STORE, DELETE, INVALIDATE -> true;
            default -> answer.hasChanged();
        };
    }

    private CompletableFuture<Map<String, Answer>> afterDeletes(Map<String, Answer> deleted, Deadline deadline) {
        boolean isDoneAnyway = switch (effect()) {
            case STORE, FILL, DELETE, INVALIDATE -> true;
            default -> false;
        };
        for (Map.Entry<String, Answer> each : deleted.entrySet()) {
            MemcachedException failure = each.getValue().failure();
            if (failure != null && !isDoneAnyway) {
                return CompletableFuture.completedFuture(
                        Map.of(each.getKey(), notDeleted(each.getKey(), failure, false)));
            }
        }
        return write.send(primary.sender()).end(deadline).thenApply(served -> joined(served, deleted));
    }

    private Map<String, Answer> joined(Map<String, Answer> served, Map<String, Answer> deleted) {
        Map<String, Answer> joined = new HashMap<>(served);
        deleted.forEach((key, other) -> joined.compute(key, (same, own) -> joined(key, own, other)));
        return joined;
    }

    private Answer joined(String key, Answer own, Answer other) {
        if (other.failure() == null) {
            // The delete has succeeded if either fleet had the item.
            return own.failure() == null && !own.hasChanged() && effect() == Effect.DELETE && other.hasChanged()
                    ? other
                    : own;
        }
        if (own.failure() == null) {
            return notDeleted(key, other.failure(), true);
        }
        Futures.suppress(other.failure(), own.failure());
        fleets.counters().failed.increment();
        return own;
    }

    private Answer notDeleted(String key, MemcachedException failure, boolean isDone) {
        return Answer.failed(
                fleets.notDeleted(secondary, failure, isDone, write.command().verb(), key));
    }
}
