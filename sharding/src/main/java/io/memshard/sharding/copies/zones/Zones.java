// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.protocol.Effect;
import io.memshard.client.protocol.ItemsCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.Answer;
import io.memshard.sharding.copies.BackgroundCopies;
import io.memshard.sharding.copies.CopiesSender;
import io.memshard.sharding.copies.ItemCopier;
import io.memshard.sharding.replica.ReplicaOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Zones of a client, and the steps that its operations share.
 *
 * <p>Threading: immutable. Any thread may call the listener.
 */
final class Zones {

    private static final ClientLog LOG = ClientLog.of(Replicas.class);

    /** Time to live of a copy whose source zone speaks only classic text, which does not report times to live. */
    private static final Duration TTL_IF_UNKNOWN = Duration.ofMinutes(1);

    /**
     * Maximum number of items that are copied into the own zone at the same time. A later read retries a copy beyond
     * this limit.
     */
    private static final int MAX_COPIES = 256;

    private final List<Zone> ownFirst;
    private final Zone decider;
    private final ReplicaOptions options;
    private final @Nullable ConnectionListener listener;
    private final ItemCopier copier;
    private final BackgroundCopies copies;

    Zones(Map<String, ? extends CommandSender> senders, ReplicaOptions options, @Nullable ConnectionListener listener) {
        options.check(senders.keySet());
        Map<String, Zone> byName = new LinkedHashMap<>();
        senders.forEach((name, sender) -> byName.put(name, new Zone(name, sender)));
        Zone own = named(options.own(), byName);
        List<Zone> ordered = new ArrayList<>(List.of(own));
        byName.values().stream().filter(zone -> !zone.equals(own)).forEach(ordered::add);
        this.ownFirst = List.copyOf(ordered);
        this.decider = named(options.decider(), byName);
        this.options = options;
        this.listener = listener;
        this.copier = new ItemCopier(Clock.systemUTC(), TTL_IF_UNKNOWN, () -> true);
        this.copies = new BackgroundCopies(copier, options.addsOnMiss() ? MAX_COPIES : 0);
    }

    private Zones(Zones other, List<Zone> ownFirst, Zone decider) {
        this.ownFirst = ownFirst;
        this.decider = decider;
        this.options = other.options;
        this.copier = other.copier;
        this.copies = other.copies;
        this.listener = other.listener;
    }

    private static Zone named(String name, Map<String, Zone> byName) {
        Zone zone = byName.get(name);
        if (zone == null) {
            throw new IllegalArgumentException("there is no zone \"" + name + '"');
        }
        return zone;
    }

    /** Returns the same zones, but with senders that send all commands to the server of {@code key}. */
    Zones withRoutingKey(String key) {
        List<Zone> routed =
                ownFirst.stream().map(zone -> zone.withRoutingKey(key)).toList();
        return new Zones(this, routed, routed.get(ownFirst.indexOf(decider)));
    }

    List<Zone> all() {
        return ownFirst;
    }

    Zone own() {
        return ownFirst.get(0);
    }

    Zone decider() {
        return decider;
    }

    List<Zone> but(Zone one) {
        return ownFirst.stream().filter(zone -> !zone.equals(one)).toList();
    }

    ReplicaOptions options() {
        return options;
    }

    int required() {
        return options.acknowledgement().required(ownFirst.size());
    }

    /**
     * Returns the zone whose answer becomes the result. If not all zones are required, this is the own zone, unless the
     * own zone has failed. Otherwise, a zone in which the write changed something takes precedence.
     */
    String resultZone(Map<String, Answer> done) {
        if (required() < ownFirst.size() && done.containsKey(own().name())) {
            return own().name();
        }
        List<String> decidingFirst = Stream.concat(Stream.of(decider), ownFirst.stream())
                .map(Zone::name)
                .filter(done::containsKey)
                .toList();
        return decidingFirst.stream()
                .filter(zone -> Objects.requireNonNull(done.get(zone)).hasChanged())
                .findFirst()
                .orElse(decidingFirst.get(0));
    }

    ItemCopier copier() {
        return copier;
    }

    BackgroundCopies copies() {
        return copies;
    }

    void report(
            ItemsCommand<?> command,
            Map<String, Integer> served,
            Map<String, MemcachedException> failures,
            Set<String> pending) {
        String own = own().name();
        if (!failures.isEmpty() || (isRead(command) && isServedByOther(served, own))) {
            if (FlightRecorder.IS_PRESENT) {
                ZonedCommandEvent.record(command.operation(), own, served, failures, pending, false);
            }
        }
        if (listener == null) {
            return;
        }
        try {
            listener.zonesEnded(new ZoneOutcome(command.operation(), command.keyCount(), served, failures, pending));
        } catch (Throwable e) {
            // Errors are caught too, because the command has a result whatever the listener does.
            LOG.warn("ConnectionListener.zonesEnded(...) threw an exception", e);
        }
    }

    private static boolean isRead(ItemsCommand<?> command) {
        return command.effect() == Effect.READ || command.effect() == Effect.READ_AND_TOUCH;
    }

    private static boolean isServedByOther(Map<String, Integer> served, String own) {
        for (Map.Entry<String, Integer> each : served.entrySet()) {
            if (each.getValue() > 0 && !each.getKey().equals(own)) {
                return true;
            }
        }
        return false;
    }

    /** Reports the failure of {@code unawaited}, a future that no caller waits for, to the listener. */
    void reportFailureOf(String zone, String operation, CompletableFuture<?> unawaited) {
        Futures.atEnd(
                unawaited,
                (answer, thrown) -> reportLate(zone, operation, thrown),
                thrown -> LOG.warn("{} failed in zone {} while no caller waited for it", operation, zone, thrown));
    }

    /**
     * Reports to the listener that a command failed in a zone while no caller waited. If {@code thrown} is null, does
     * nothing.
     */
    void reportLate(String zone, String operation, @Nullable Throwable thrown) {
        if (thrown == null) {
            return;
        }
        if (Futures.cause(thrown) instanceof MemcachedException failure) {
            if (FlightRecorder.IS_PRESENT) {
                ZonedCommandEvent.record(operation, own().name(), Map.of(), Map.of(zone, failure), Set.of(), true);
            }
            if (listener == null) {
                return;
            }
            try {
                listener.zoneFailedLater(zone, operation, failure);
            } catch (Throwable e) {
                LOG.warn("ConnectionListener.zoneFailedLater(...) threw an exception", e);
            }
        } else {
            LOG.warn("{} failed in zone {} while no caller waited for it", operation, zone, thrown);
        }
    }

    MemcachedException tooFew(Set<String> done, Map<String, MemcachedException> failures, CommandContext context) {
        for (MemcachedException failure : failures.values()) {
            if (!CopiesSender.isOfServer(failure)) {
                // The request itself is at fault: the value is too large, or no server knows the command.
                return failure;
            }
        }
        StringBuilder text = new StringBuilder("the write succeeded in zones ")
                .append(done)
                .append(" but not in ")
                .append(failures.keySet())
                .append(": acknowledgement=")
                .append(options.acknowledgement())
                .append(" needs ")
                .append(required())
                .append(" of ")
                .append(ownFirst.size())
                .append(" zones");
        failures.forEach(
                (zone, failure) -> text.append("; ").append(zone).append(": ").append(failure.getMessage()));
        return new MemcachedReplicationException(text.toString(), context, done, failures);
    }

    @Override
    public String toString() {
        return ownFirst.stream().map(Zone::name).toList().toString();
    }
}
