// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.RoutingSender;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Copies of the data: several zones, or the two fleets of a move. A read queries one copy after another. Immutable. */
public abstract class Copies {

    public record Copy(String name, CommandSender sender) {

        private Copy withRoutingKey(String key) {
            return new Copy(name, RoutingSender.routedBy(key, sender));
        }
    }

    /** Rules of reads. {@code differs} tests whether the copies of a key are on different servers. */
    public record Rules(
            boolean readsOthersOnMiss,
            boolean addsOnMiss,
            boolean addsBeforeMiss,
            boolean isMissDespiteFailure,
            Predicate<? super String> differs) {}

    private final List<Copy> inOrder;
    private final Copy decider;
    private final ItemCopier copier;
    private final Rules rules;
    private final Map<String, Integer> hit;

    protected Copies(List<Copy> inOrder, String decider, ItemCopier copier, Rules rules) {
        this.inOrder = inOrder;
        this.decider = inOrder.stream()
                .filter(copy -> copy.name().equals(decider))
                .findFirst()
                .orElseThrow();
        this.copier = copier;
        this.rules = rules;
        this.hit = Map.of(first().name(), 1);
    }

    protected Copies(Copies other, String key) {
        this(
                other.inOrder.stream().map(copy -> copy.withRoutingKey(key)).toList(),
                other.decider.name,
                other.copier,
                new Rules(
                        other.rules.readsOthersOnMiss,
                        other.rules.addsOnMiss,
                        other.rules.addsBeforeMiss,
                        other.rules.isMissDespiteFailure,
                        any -> other.differs(key)));
    }

    public final List<Copy> inOrder() {
        return inOrder;
    }

    public final Copy first() {
        return inOrder.get(0);
    }

    public final Copy decider() {
        return decider;
    }

    public final List<Copy> but(Copy one) {
        return inOrder.stream().filter(copy -> !copy.equals(one)).toList();
    }

    public final boolean differs(String key) {
        return rules.differs.test(key);
    }

    public final int copiesUnderWay() {
        return copier.running();
    }

    final ItemCopier copier() {
        return copier;
    }

    final Rules rules() {
        return rules;
    }

    protected abstract void added(Result result);

    protected abstract void notAdded(Throwable thrown);

    protected abstract void ended(
            ItemsCommand<?> command,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            int misses,
            int failedSteps);

    final void hit(ItemsCommand<?> command) {
        ended(command, hit, Map.of(), 0, 0);
    }

    final void addToFirst(ItemKey key, Copy from, Deadline deadline) {
        if (rules.addsOnMiss) {
            copier.start(key, from.sender(), first().sender(), deadline.anew(), this::added, this::notAdded);
        }
    }

    public final CompletableFuture<Result> addIfMissing(ItemKey key, Deadline deadline) {
        CommandSender last = inOrder.get(inOrder.size() - 1).sender();
        return copier.copyIfMissing(key, last, decider.sender, deadline).whenComplete((result, thrown) -> {
            if (thrown != null) {
                notAdded(thrown);
            } else {
                added(result);
            }
        });
    }
}
