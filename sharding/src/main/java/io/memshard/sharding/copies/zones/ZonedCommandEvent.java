// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.exception.MemcachedException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Flight recorder event of a command over zones: a zone has failed, or a remote zone has served a read. */
@Name("io.memshard.ZonedCommand")
@Label("Memcached Zoned Command")
@Description("A command over zones: a zone has failed, or a read was served by a zone other than the client's own")
@Category({"Memshard"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads the fields.
final class ZonedCommandEvent extends Event {

    @Label("Operation")
    @Description("Operation of the API that sent the command")
    private @Nullable String operation;

    @Label("Own Zone")
    private @Nullable String own;

    @Label("Served")
    @Description("Zones that answered, each with the number of keys that it served")
    private @Nullable String served;

    @Label("Failed")
    @Description("Zones that failed, each with its exception")
    private @Nullable String failed;

    @Label("Pending")
    @Description("Zones that had not answered when the caller stopped waiting")
    private @Nullable String pending;

    @Label("Later")
    @Description("True if the zone failed after the caller had stopped waiting")
    private boolean later;

    static void record(
            String operation,
            String own,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            Set<String> pending) {
        ZonedCommandEvent event = new ZonedCommandEvent();
        if (event.shouldCommit()) {
            event.fill(operation, own, served, failures, pending);
            event.commit();
        }
    }

    /** Records that a zone has failed after the caller continued, if the event is enabled. */
    static void recordLater(String operation, String own, String zone, MemcachedException failure) {
        ZonedCommandEvent event = new ZonedCommandEvent();
        if (event.shouldCommit()) {
            event.fill(operation, own, Map.of(), Map.of(zone, failure), Set.of());
            event.later = true;
            event.commit();
        }
    }

    private void fill(
            String ofOperation,
            String ownZone,
            Map<String, Integer> servedBy,
            Map<String, MemcachedException> failures,
            Set<String> waiting) {
        operation = ofOperation;
        own = ownZone;
        served = servedBy.entrySet().stream()
                .map(each -> each.getKey() + '=' + each.getValue())
                .collect(Collectors.joining(", "));
        failed = failures.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue().getClass().getSimpleName() + ": "
                        + each.getValue().getMessage())
                .collect(Collectors.joining("; "));
        pending = String.join(", ", waiting);
    }
}
