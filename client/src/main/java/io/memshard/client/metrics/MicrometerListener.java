// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.options.ServerAddress;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Listener that records meters of commands and connections with Micrometer.
 *
 * <p>{@code docs/observability.md} lists the meters. All meters have the tag {@code pool}, with the name passed to the
 * constructor. Meters of commands, gets, connections and servers also have the tag {@code server}: the server's name,
 * or {@code host:port}. Meters of a discovery have the tag {@code source}, and meters of zones have the tag
 * {@code zone}.
 *
 * <p>A server's gauges are removed from the registry when the last connection to the server is closed. Timers and
 * counters remain until the server has left the client's list of servers and has had no connection for ten seconds.
 * Servers and clients with equal tags share a meter. A shared gauge shows the sum, and is removed with the last server
 * or client.
 *
 * <p>Threading: thread-safe. One listener may serve many clients.
 */
@SuppressWarnings("exports") // An application that has Micrometer requires its module itself.
public final class MicrometerListener implements ConnectionListener {

    private final MeterRegistry registry;
    private final @Nullable String pool;
    private final Map<ServerAddress, ServerMeters> servers = new ConcurrentHashMap<>();
    private final Map<String, Discovery> discoveries = new ConcurrentHashMap<>();
    private final ZoneMeters zones;

    /**
     * Creates a listener with meters in {@code registry}. The tag {@code pool} of each meter has the value of the
     * meter's tag {@code server}, {@code source} or {@code zone}.
     */
    public MicrometerListener(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry is null");
        this.pool = null;
        this.zones = new ZoneMeters(registry, null);
    }

    /**
     * Creates a listener with meters in {@code registry}.
     *
     * @param pool name of the client, for the tag {@code pool} of all meters
     */
    public MicrometerListener(MeterRegistry registry, String pool) {
        this.registry = Objects.requireNonNull(registry, "registry is null");
        this.pool = Objects.requireNonNull(pool, "pool is null");
        this.zones = new ZoneMeters(registry, pool);
    }

    @Override
    public void commandEnded(CommandEnd end) {
        metersOf(end.server()).commandEnded(end);
    }

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        // compute() excludes a concurrent removal of the meters.
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
    public void discovered(String source, int servers) {
        discoveries.compute(source, (any, known) -> {
            if (servers > 0) {
                Discovery discovery = known == null ? newDiscovery(source) : known;
                discovery.servers.set(servers);
                discovery.nanos.set(registry.config().clock().monotonicTime());
                return discovery;
            }
            if (known != null) {
                known.gauges.remove();
            }
            return null;
        });
    }

    private record Discovery(SharedMeters gauges, AtomicInteger servers, AtomicLong nanos) {}

    private Discovery newDiscovery(String source) {
        Discovery made = new Discovery(new SharedMeters(registry), new AtomicInteger(), new AtomicLong());
        Tags tags = Tags.of("pool", pool == null ? source : pool, "source", source);
        // The gauges must not keep the registry in memory.
        Clock clock = registry.config().clock();
        AtomicInteger number = made.servers;
        AtomicLong nanos = made.nanos;
        made.gauges.addGauge("memshard.discovery.servers", "Servers in the current list", null, tags, number::get);
        made.gauges.addGauge(
                "memshard.discovery.age",
                "Time since the source last returned its servers",
                "seconds",
                tags,
                () -> (clock.monotonicTime() - nanos.get()) / 1e9);
        return made;
    }

    @Override
    public void zonesEnded(ZoneOutcome outcome) {
        zones.ended(outcome);
    }

    @Override
    public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
        zones.failedLater(zone, operation, failure);
    }

    @Override
    public void serverStateChanged(ServerStatus before, ServerStatus now) {
        boolean wasUp = before.state() == ServerState.UP;
        boolean isUp = now.state() == ServerState.UP;
        if (wasUp != isUp) {
            metersOf(now.server()).serverChanged(isUp);
        }
        if (now.state() == ServerState.EJECTED && before.state() != ServerState.PROBING) {
            metersOf(now.server()).ejections.increment();
        }
    }

    private ServerMeters metersOf(ServerAddress server) {
        ServerMeters meters = servers.get(server);
        return meters != null ? meters : servers.computeIfAbsent(server, this::newMeters);
    }

    private ServerMeters newMeters(ServerAddress server) {
        String name = server.nameOrAddress();
        return new ServerMeters(registry, Tags.of("pool", pool == null ? name : pool, "server", name));
    }

    private record Ended(String operation, @Nullable Class<? extends MemcachedException> failure) {}

    private record Gets(Counter hits, Counter misses, Counter failed) {}

    private static final class ServerMeters {

        private final MeterRegistry registry;
        private final Tags tags;
        private final SharedMeters counts;
        private final SharedMeters gauges;
        private final Map<Ended, Timer> timers = new ConcurrentHashMap<>();
        private final Map<String, Gets> gets = new ConcurrentHashMap<>();
        private final Counter opened;
        private final Counter lost;
        private final Counter ejections;

        /** Number of clients that consider the server down. */
        private final AtomicInteger ejected = new AtomicInteger();

        /** Connections that are not closed. Changed in synchronized methods only. */
        private final Set<ConnectionStatus> connections = ConcurrentHashMap.newKeySet();

        ServerMeters(MeterRegistry registry, Tags tags) {
            this.registry = registry;
            this.tags = tags;
            counts = new SharedMeters(registry);
            gauges = new SharedMeters(registry);
            opened = counter("memshard.connections.opened", "Connections that were opened or reopened", tags);
            lost = counter("memshard.connections.lost", "Open connections that were lost", tags);
            ejections = counter("memshard.servers.ejections", "Number of times the server was ejected", tags);
        }

        void serverChanged(boolean isUp) {
            if (isUp) {
                ejected.updateAndGet(clients -> Math.max(0, clients - 1));
            } else {
                ejected.incrementAndGet();
            }
        }

        synchronized void add(ConnectionStatus connection) {
            boolean isFirst = connections.isEmpty();
            connections.add(connection);
            if (isFirst) {
                addGauges();
            }
        }

        synchronized void remove(ConnectionStatus connection) {
            connections.remove(connection);
            if (connections.isEmpty()) {
                gauges.remove();
                // A client that is closed never announces that the server is up.
                ejected.set(0);
            }
        }

        synchronized boolean dropIfUnused() {
            if (!connections.isEmpty()) {
                return false;
            }
            counts.remove();
            return true;
        }

        private void addGauges() {
            addState("used", each -> isOpen(each, true));
            addState("idle", each -> isOpen(each, false));
            addState("connecting", each -> each.state() == ConnectionState.CONNECTING);
            addState("reconnecting", each -> each.state() == ConnectionState.RECONNECTING);
            String commands = "Commands queued or awaiting their replies";
            addGauge("memshard.in.flight.commands", commands, null, tags, ConnectionStatus::inFlight);
            String bytes = "Memory of the requests in flight";
            addGauge("memshard.in.flight.bytes", bytes, "bytes", tags, ConnectionStatus::bytesInFlight);
            String down = "Clients for which the server is down: ejected or unreachable";
            gauges.addGauge("memshard.servers.ejected", down, null, tags, ejected::get);
        }

        private void addState(String state, Predicate<ConnectionStatus> isIn) {
            Tags ownTags = tags.and("state", state);
            addGauge("memshard.connections", "Connections by state", null, ownTags, each -> isIn.test(each) ? 1 : 0);
        }

        private void addGauge(
                String name,
                String description,
                @Nullable String unit,
                Tags ownTags,
                ToDoubleFunction<ConnectionStatus> each) {
            // A gauge must not refer to this object, which keeps the registry in memory.
            Set<ConnectionStatus> all = connections;
            gauges.addGauge(
                    name,
                    description,
                    unit,
                    ownTags,
                    () -> all.stream().mapToDouble(each).sum());
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
                (failure == null ? counted.misses : counted.failed).increment(end.keys() - end.hits());
            }
        }

        private Timer newTimer(Ended ended) {
            return counts.add(() -> Timer.builder("memshard.commands")
                    .description("Commands, from the call until the caller had the result")
                    .tags(tags.and("operation", ended.operation(), "outcome", Outcome.of(ended.failure())))
                    .register(registry));
        }

        private Gets newGets(String operation) {
            Tags ofOperation = tags.and("operation", operation);
            String description = "Keys whose value was requested";
            return new Gets(
                    counter("memshard.gets", description, ofOperation.and("result", "hit")),
                    counter("memshard.gets", description, ofOperation.and("result", "miss")),
                    counter("memshard.gets", description, ofOperation.and("result", "failed")));
        }

        private Counter counter(String name, String description, Tags ownTags) {
            return counts.add(() ->
                    Counter.builder(name).description(description).tags(ownTags).register(registry));
        }
    }
}
