// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.Copies;
import io.memshard.sharding.copies.Copies.Copy;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemCopier.Result;
import io.memshard.sharding.migration.MigrationStats;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

final class Fleets extends Copies {

    private static final ClientLog LOG = ClientLog.of(Migration.class);

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

    private final Counters counters;

    Fleets(CommandSender source, CommandSender target, ItemCopier copier, Predicate<? super String> moves) {
        super(
                List.of(new Copy("target", target), new Copy("source", source)),
                "target",
                copier,
                new Rules(true, true, true, false, moves));
        this.counters = new Counters();
    }

    Fleets(Fleets other, String key) {
        super(other, key);
        this.counters = other.counters;
    }

    Counters counters() {
        return counters;
    }

    Copy target() {
        return first();
    }

    Copy source() {
        return inOrder().get(1);
    }

    Copy other(Copy fleet) {
        return fleet.equals(source()) ? target() : source();
    }

    @Override
    protected void ended(
            ItemsCommand<?> command,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            int misses,
            int failedSteps) {
        counters.targetHits.add(served.getOrDefault(target().name(), 0));
        counters.sourceHits.add(served.getOrDefault(source().name(), 0));
        counters.misses.add(misses);
        counters.failed.add(failedSteps);
    }

    @Override
    protected void added(Result result) {
        if (result == Result.COPIED) {
            counters.copied.increment();
        } else if (result == Result.REFUSED) {
            counters.refused.increment();
        }
    }

    @Override
    protected void notAdded(Throwable thrown) {
        counters.failed.increment();
        LOG.debug("the copy of an item to the target fleet failed; a later read repeats the copy", thrown);
    }

    MemcachedException notDeleted(Copy secondary, MemcachedException failure, boolean isDone, String verb, String key) {
        counters.failed.increment();
        if (!CopiesSender.isOfServer(failure)) {
            return failure;
        }
        String name = secondary.name();
        Copy primary = other(secondary);
        CommandContext known = failure.context();
        Phase phase = known == null ? Phase.QUEUED : known.phase();
        return new MemcachedReplicationException(
                (isDone
                                ? "the write is done in the " + primary.name() + " fleet, but"
                                : "the write was not executed, because")
                        + " the delete in the " + name + " fleet failed: " + failure.getMessage(),
                primary.sender().context(verb, key, phase),
                isDone ? Set.of(primary.name()) : Set.of(),
                Map.of(name, failure));
    }
}
