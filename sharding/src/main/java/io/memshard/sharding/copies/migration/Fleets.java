// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.Phase;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.RoutingSender;
import io.memshard.sharding.copies.BackgroundCopies;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.copies.ItemKey;
import io.memshard.sharding.migration.MigrationStats;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Fleets of a move, and the steps that its operations share. Immutable.
 *
 * @param moves the test whether the item of a key moves to another server
 */
record Fleets(
        CommandSender source,
        CommandSender target,
        ItemCopier copier,
        BackgroundCopies copies,
        Counters counters,
        Predicate<? super String> moves) {

    private static final ClientLog LOG = ClientLog.of(Migration.class);

    static final String SOURCE = "source";

    static final String TARGET = "target";

    static final class Counters {

        final LongAdder targetHits = new LongAdder();
        final LongAdder sourceHits = new LongAdder();
        final LongAdder misses = new LongAdder();
        final LongAdder copied = new LongAdder();
        final LongAdder refused = new LongAdder();
        final LongAdder failed = new LongAdder();

        MigrationStats stats() {
            return new MigrationStats(
                    targetHits.sum(), sourceHits.sum(), misses.sum(), copied.sum(), refused.sum(), failed.sum());
        }
    }

    /** Returns the same fleets, but with senders that send all commands to the server of {@code key}. */
    Fleets withRoutingKey(String key) {
        return new Fleets(
                RoutingSender.routedBy(key, source),
                RoutingSender.routedBy(key, target),
                copier,
                copies,
                counters,
                any -> moves.test(key));
    }

    String name(CommandSender fleet) {
        return fleet == source ? SOURCE : TARGET;
    }

    CommandSender other(CommandSender fleet) {
        return fleet == source ? target : source;
    }

    CompletableFuture<Result> copyIfMissing(ItemKey key, Deadline deadline) {
        return copier.copyIfMissing(key, source, target, deadline).whenComplete((result, thrown) -> {
            if (thrown != null) {
                counters.failed.increment();
            } else {
                count(result);
            }
        });
    }

    void copyInBackground(ItemKey key, Deadline deadline) {
        copies.start(key, source, target, deadline.anew(), this::count, thrown -> {
            counters.failed.increment();
            LOG.debug("the copy of an item to the target fleet failed; a later read repeats the copy", thrown);
        });
    }

    void count(Result result) {
        if (result == Result.COPIED) {
            counters.copied.increment();
        } else if (result == Result.REFUSED) {
            counters.refused.increment();
        }
    }

    /**
     * Returns the failure of a write whose delete in one fleet has failed. The other fleet may have executed the write.
     */
    MemcachedException notDeleted(
            CommandSender secondary, MemcachedException failure, boolean isDone, String verb, String key) {
        counters.failed.increment();
        if (!CopiesSender.isOfServer(failure)) {
            return failure;
        }
        String name = name(secondary);
        String primary = name(other(secondary));
        Map<String, MemcachedException> failures = new LinkedHashMap<>();
        failures.put(name, failure);
        CommandContext known = failure.context();
        Phase phase = known == null ? Phase.QUEUED : known.phase();
        return new MemcachedReplicationException(
                (isDone ? "the write is done in the " + primary + " fleet, but" : "the write was not executed, because")
                        + " the delete in the " + name + " fleet failed: " + failure.getMessage(),
                other(secondary).context(verb, key, phase),
                isDone ? Set.of(primary) : Set.of(),
                failures);
    }
}
