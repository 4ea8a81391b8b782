// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.listener.ZoneEnd;
import io.memshard.client.options.ServerAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of commands and connections for Micrometer.
 *
 * <p>All have the tags {@code pool}, the name that the listener was given, and {@code server}, as {@code host:port}.
 * These are the meters:
 *
 * <ul>
 *   <li>{@code memshard.commands}, a timer, by {@code operation} of the API, such as {@code getOrLoad}, and {@code
 *       outcome}, {@code success} or the kind of failure: how long the caller waited;
 *   <li>{@code memshard.gets}, a counter, by {@code operation} and {@code result}, {@code hit} or {@code miss}: keys
 *       whose value was requested;
 *   <li>{@code memshard.in.flight.commands} and {@code memshard.in.flight.bytes}, gauges: commands queued or awaiting
 *       their replies, and the memory of their requests;
 *   <li>{@code memshard.connections}, a gauge, by {@code state}: {@code used} and {@code idle}, open with and without
 *       commands in flight; {@code connecting}; {@code reconnecting}, which refuses commands;
 *   <li>{@code memshard.connections.opened} and {@code memshard.connections.lost}, counters;
 *   <li>{@code memshard.servers.ejected}, a gauge: 1 while no commands go to the server because it is down; and {@code
 *       memshard.servers.ejections}, a counter.
 * </ul>
 *
 * <p>A client with zones has two more, which have the tag {@code zone} in place of {@code server}:
 *
 * <ul>
 *   <li>{@code memshard.zones.commands}, a counter, by {@code operation} and {@code outcome}: commands that a zone was
 *       asked. The outcome is {@code served}; {@code missed}, if it had nothing; {@code unawaited}, if the caller went
 *       on before it answered; or the kind of failure;
 *   <li>{@code memshard.zones.failed.later}, a counter, by {@code operation} and {@code outcome}, the kind of failure:
 *       what has failed in a zone after its caller had gone on.
 * </ul>
 *
 * <p>The gauges are removed from the registry when the last connection is closed. If another client has begun to use
 * the same registry, pool and server, they are those of the newer one. Timers and counters go on. All meters of a
 * server that left the topology are removed ten seconds after its last connection was closed.
 *
 * <p>Threading: thread-safe. One listener may serve many clients, whose gauges then add up.
 */
@SuppressWarnings("exports") // An application that has Micrometer requires its module itself.
public final class MicrometerListener implements ConnectionListener {

    private final MeterRegistry registry;
    private final @Nullable String pool;
    private final Map<ServerAddress, ServerMeters> servers = new ConcurrentHashMap<>();
    private final Map<String, ZoneMeters> zones = new ConcurrentHashMap<>();

    /** A listener that counts into {@code registry}, for a pool named as its server. */
    public MicrometerListener(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry is null");
        this.pool = null;
    }

    /**
     * A listener that counts into {@code registry}.
     *
     * @param pool the name of the client: the tag {@code pool} of all meters
     */
    public MicrometerListener(MeterRegistry registry, String pool) {
        this.registry = Objects.requireNonNull(registry, "registry is null");
        this.pool = Objects.requireNonNull(pool, "pool is null");
    }

    @Override
    public void commandEnded(CommandEnd end) {
        metersOf(end.server()).commandEnded(end);
    }

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        // Within compute, so that meters are not dropped at the same time.
        servers.compute(connection.server(), (server, known) -> {
            ServerMeters meters = known == null ? newMeters(server) : known;
            if (to == ConnectionState.READY) {
                meters.opened.increment();
            } else if (from == ConnectionState.READY && cause != null) {
                meters.lost.increment();
            }
            if (to == ConnectionState.CLOSED) {
                meters.remove(connection);
            } else {
                meters.add(connection);
            }
            return meters;
        });
    }

    @Override
    public void serverLeft(ServerAddress server) {
        servers.computeIfPresent(server, (any, meters) -> meters.dropIfUnused() ? null : meters);
    }

    @Override
    public void zoneEnded(ZoneEnd end) {
        ZoneMeters meters = zones.get(end.zone());
        if (meters == null) {
            meters = zones.computeIfAbsent(end.zone(), this::newZoneMeters);
        }
        meters.ended(end);
    }

    @Override
    public void serverStateChanged(ServerStatus before, ServerStatus now) {
        boolean wasUp = before.state() == ServerState.UP;
        boolean isUp = now.state() == ServerState.UP;
        if (wasUp != isUp) {
            metersOf(now.server()).serverChanged(isUp);
        }
    }

    private ServerMeters metersOf(ServerAddress server) {
        ServerMeters meters = servers.get(server);
        return meters != null ? meters : servers.computeIfAbsent(server, this::newMeters);
    }

    private ServerMeters newMeters(ServerAddress server) {
        String name = server.toString();
        return new ServerMeters(registry, Tags.of("pool", pool == null ? name : pool, "server", name));
    }

    private ZoneMeters newZoneMeters(String zone) {
        return new ZoneMeters(registry, pool == null ? zone : pool, zone);
    }

    /** What distinguishes the timers of a server. */
    private record Ended(String operation, @Nullable Class<? extends MemcachedException> failure) {}

    /** The keys that an operation has found, and those that it has not. */
    private record Gets(Counter hits, Counter misses) {}

    /** The meters of one server. */
    private static final class ServerMeters {

        private final MeterRegistry registry;
        private final Tags tags;
        private final Map<Ended, Timer> timers = new ConcurrentHashMap<>();
        private final Map<String, Gets> gets = new ConcurrentHashMap<>();
        private final Counter opened;
        private final Counter lost;
        private final Counter ejections;

        /** How many clients have the server ejected. */
        private final AtomicInteger ejected = new AtomicInteger();

        /** The connections that were opened and not closed. Changed under the monitor of this. */
        private final Set<ConnectionStatus> connections = ConcurrentHashMap.newKeySet();

        /** The gauges of these connections, while there are any. Guarded by this. */
        private final List<Gauge> gauges = new ArrayList<>();

        ServerMeters(MeterRegistry registry, Tags tags) {
            this.registry = registry;
            this.tags = tags;
            opened = counter("memshard.connections.opened", "Connections that were opened, also again", tags);
            lost = counter("memshard.connections.lost", "Open connections that were lost", tags);
            ejections = counter("memshard.servers.ejections", "How often the server was ejected", tags);
        }

        void serverChanged(boolean isUp) {
            if (isUp) {
                ejected.decrementAndGet();
            } else {
                ejected.incrementAndGet();
                ejections.increment();
            }
        }

        synchronized void add(ConnectionStatus connection) {
            connections.add(connection);
            if (gauges.isEmpty()) {
                addGauges();
            }
        }

        synchronized void remove(ConnectionStatus connection) {
            connections.remove(connection);
            if (connections.isEmpty()) {
                gauges.forEach(this::removeIfThere);
                gauges.clear();
            }
        }

        /** Removes all meters, unless a client has connections to the server. */
        synchronized boolean dropIfUnused() {
            if (!connections.isEmpty()) {
                return false;
            }
            List.of(opened, lost, ejections).forEach(registry::remove);
            timers.values().forEach(registry::remove);
            gets.values().forEach(each -> {
                registry.remove(each.hits());
                registry.remove(each.misses());
            });
            return true;
        }

        /** Not there is one that a newer client has replaced. */
        private void removeIfThere(Gauge gauge) {
            if (registry.getMeters().stream().anyMatch(meter -> meter == gauge)) {
                registry.remove(gauge);
            }
        }

        private void addGauges() {
            String byState = "Connections by state";
            addGauge("memshard.connections", byState, tags.and("state", "used"), each -> isOpen(each, true));
            addGauge("memshard.connections", byState, tags.and("state", "idle"), each -> isOpen(each, false));
            addGauge(
                    "memshard.connections",
                    byState,
                    tags.and("state", "connecting"),
                    each -> each.state() == ConnectionState.CONNECTING);
            addGauge(
                    "memshard.connections",
                    byState,
                    tags.and("state", "reconnecting"),
                    each -> each.state() == ConnectionState.RECONNECTING);
            addGauge(gauge(
                    "memshard.in.flight.commands",
                    "Commands queued or awaiting their replies",
                    ConnectionStatus::inFlight));
            addGauge(Gauge.builder("memshard.servers.ejected", connections, any -> ejected.get())
                    .description("Clients that send nothing to the server, because it is down")
                    .tags(tags));
            addGauge(gauge(
                            "memshard.in.flight.bytes",
                            "Memory of the requests in flight",
                            ConnectionStatus::bytesInFlight)
                    .baseUnit("bytes"));
        }

        private void addGauge(String name, String description, Tags ownTags, Predicate<ConnectionStatus> which) {
            addGauge(gauge(name, description, each -> which.test(each) ? 1 : 0).tags(ownTags));
        }

        private Gauge.Builder<Set<ConnectionStatus>> gauge(
                String name, String description, ToDoubleFunction<ConnectionStatus> each) {
            return Gauge.builder(
                            name,
                            connections,
                            all -> all.stream().mapToDouble(each).sum())
                    .description(description)
                    .tags(tags);
        }

        /** Registers it in place of an older client's, which the registry would otherwise keep. */
        private void addGauge(Gauge.Builder<Set<ConnectionStatus>> builder) {
            Gauge gauge = builder.register(registry);
            registry.remove(gauge);
            gauges.add(builder.register(registry));
        }

        private static boolean isOpen(ConnectionStatus connection, boolean used) {
            return connection.state() == ConnectionState.READY && connection.inFlight() > 0 == used;
        }

        void commandEnded(CommandEnd end) {
            MemcachedException failure = end.failure();
            Ended ended = new Ended(end.operation(), failure == null ? null : failure.getClass());
            Timer timer = timers.get(ended);
            if (timer == null) {
                timer = timers.computeIfAbsent(ended, this::newTimer);
            }
            timer.record(end.durationNanos(), TimeUnit.NANOSECONDS);
            if (end.hits() >= 0) {
                Gets counted = gets.get(end.operation());
                if (counted == null) {
                    counted = gets.computeIfAbsent(end.operation(), this::newGets);
                }
                counted.hits.increment(end.hits());
                counted.misses.increment(end.keys() - end.hits());
            }
        }

        private Timer newTimer(Ended ended) {
            return Timer.builder("memshard.commands")
                    .description("Commands, from the call until the caller had the result")
                    .tags(tags.and("operation", ended.operation(), "outcome", Outcome.of(ended.failure())))
                    .register(registry);
        }

        private Gets newGets(String operation) {
            Tags ofOperation = tags.and("operation", operation);
            String description = "Keys whose value was requested";
            return new Gets(
                    counter("memshard.gets", description, ofOperation.and("result", "hit")),
                    counter("memshard.gets", description, ofOperation.and("result", "miss")));
        }

        private Counter counter(String name, String description, Tags ownTags) {
            return Counter.builder(name).description(description).tags(ownTags).register(registry);
        }
    }
}
