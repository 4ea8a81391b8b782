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

    /**
     * Records a command, if the event is enabled.
     *
     * @param isLater whether a zone has failed after the caller had stopped waiting
     */
    static void record(
            String operation,
            String own,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            Set<String> pending,
            boolean isLater) {
        ZonedCommandEvent event = new ZonedCommandEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.operation = operation;
        event.own = own;
        event.served = served.entrySet().stream()
                .map(each -> each.getKey() + '=' + each.getValue())
                .collect(Collectors.joining(", "));
        event.failed = failures.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue().getClass().getSimpleName() + ": "
                        + each.getValue().getMessage())
                .collect(Collectors.joining("; "));
        event.pending = String.join(", ", pending);
        event.later = isLater;
        event.commit();
    }
}
