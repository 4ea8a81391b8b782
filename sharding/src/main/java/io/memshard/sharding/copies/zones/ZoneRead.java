// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.sender.Reply;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.Deadline;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.copies.ItemKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Read of one item: from the local zone, then from the other zones in turn.
 *
 * <p>Threading: used by one thread at a time: the caller, then the threads that deliver the answers.
 */
final class ZoneRead<T> {

    private final Zones zones;
    private final ItemCommand<T> command;
    private final Map<String, Integer> served = new LinkedHashMap<>();
    private final Map<String, MemcachedException> failures = new LinkedHashMap<>();
    private final Map<Zone, Reply<?>> touches = new LinkedHashMap<>();

    /** Index of the zone whose answer comes next. */
    private int at;

    /** Result if no zone has the item. Null until a zone has missed. */
    private @Nullable CompletableFuture<T> miss;

    private boolean isMissedByOwn;

    /** Creates a read that has sent nothing yet. The local zone comes first. */
    ZoneRead(Zones zones, ItemCommand<T> command) {
        this.zones = zones;
        this.command = command;
    }

    void touchOthers() {
        for (Zone zone : zones.but(zones.own())) {
            touches.put(zone, zone.sender().send(command.touchOnly()));
        }
    }

    /** Reports the failures of touches to the listener, when they happen. */
    void awaitTouches(Deadline deadline) {
        touches.forEach(
                (zone, touch) -> zones.reportFailureOf(zone, command.operation(), touch.toFuture(deadline.left())));
    }

    /** Takes the answer of the last queried zone, and queries the next one if necessary. */
    CompletableFuture<T> take(T found, @Nullable Throwable thrown, Deadline deadline) {
        if (thrown != null) {
            Throwable cause = Futures.cause(thrown);
            return cause instanceof MemcachedException failure
                    ? fail(failure, deadline)
                    : CompletableFuture.failedFuture(cause);
        }
        Zone zone = zones.all().get(at++);
        if (found != null) {
            served.put(zone.name(), 1);
            report();
            if (isMissedByOwn) {
                copy(zones, ItemKey.of(command), zone, deadline);
            }
            return CompletableFuture.completedFuture(found);
        }
        served.put(zone.name(), 0);
        miss = CompletableFuture.completedFuture(found);
        isMissedByOwn |= zone.equals(zones.own());
        return next(deadline);
    }

    /** Takes the failure of the last queried zone, and queries the next one if it may succeed. */
    CompletableFuture<T> fail(MemcachedException failure, Deadline deadline) {
        failures.put(zones.all().get(at++).name(), failure);
        return CopiesSender.isOfServer(failure) ? next(deadline) : failed(failure);
    }

    private CompletableFuture<T> next(Deadline deadline) {
        if (at < zones.all().size() && (miss == null || zones.options().readsOthersOnMiss())) {
            return readNext(deadline);
        }
        if (miss == null) {
            return failed(firstFailure(failures));
        }
        report();
        return miss;
    }

    private CompletableFuture<T> readNext(Deadline deadline) {
        return Futures.compose(
                zones.all()
                        .get(at)
                        .sender()
                        .send(command.again())
                        .toFuture(deadline.share(zones.all().size() - at)),
                (found, thrown) -> take(found, thrown, deadline));
    }

    /**
     * Returns the failure of a read that failed in all zones: the first failure, with the others as suppressed
     * exceptions.
     */
    static MemcachedException firstFailure(Map<String, MemcachedException> failures) {
        MemcachedException first = failures.values().iterator().next();
        failures.values().forEach(failure -> Futures.suppress(failure, first));
        return first;
    }

    private CompletableFuture<T> failed(MemcachedException failure) {
        report();
        return CompletableFuture.failedFuture(failure);
    }

    private void report() {
        zones.report(command, served, failures, Set.of());
    }

    /** Copies an item into the local zone, if the options say so. */
    static void copy(Zones zones, ItemKey key, Zone from, Deadline deadline) {
        if (zones.options().addsOnMiss()) {
            zones.copies()
                    .start(
                            key,
                            from.sender(),
                            zones.own().sender(),
                            deadline.anew(),
                            (ItemCopier.Result result) -> {},
                            thrown -> zones.reportLate(zones.own(), "copy", thrown));
        }
    }
}
