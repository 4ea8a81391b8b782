package io.memshard.client.metrics;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.ServerAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Meters of commands and connections, with OpenTelemetry's names for database clients.
 *
 * <p>All have the tags {@code db.system.name}, {@code server.address} and {@code server.port}. These are the meters:
 *
 * <ul>
 *   <li>{@code db.client.operation.duration}, a timer, by {@code db.operation.name}, memcached's verb, and {@code
 *       error.type}, the exception's class name or {@code none}: how long the caller waited;
 *   <li>{@code cache.gets}, a counter, by {@code result}, {@code hit} or {@code miss}: keys whose value was requested;
 *   <li>{@code db.client.connection.count}, a gauge, by {@code db.client.connection.state}, {@code used} or {@code
 *       idle}: open connections with and without commands in flight;
 *   <li>{@code db.client.connection.pending_requests}, a gauge: commands queued or awaiting their replies;
 *   <li>{@code memshard.connection.losses}, a counter: open connections that were lost.
 * </ul>
 *
 * <p>Threading: thread-safe. One listener may serve many groups of connections.
 *
 * <p>Source: OpenTelemetry semantic conventions, "Database client metrics"; Micrometer's own name for cache gets.
 */
@SuppressWarnings("exports") // An application that has Micrometer requires its module itself.
public final class MicrometerListener implements ConnectionListener {

    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<ServerAddress, ServerMeters> servers = new ConcurrentHashMap<>();

    /** A listener that counts into {@code registry}. */
    public MicrometerListener(MeterRegistry registry) {
        this(registry, List.of());
    }

    /**
     * A listener that counts into {@code registry}.
     *
     * @param tags the tags that all meters have besides their own
     */
    public MicrometerListener(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = registry;
        this.tags = Tags.of(tags).and("db.system.name", "memcached");
    }

    @Override
    public void commandEnded(CommandEnd end) {
        metersOf(end.server()).commandEnded(end);
    }

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        ServerMeters meters = metersOf(connection.server());
        if (from == ConnectionState.READY && cause != null) {
            meters.losses.increment();
        }
        if (to == ConnectionState.CLOSED) {
            meters.connections.remove(connection);
        } else {
            meters.connections.add(connection);
        }
    }

    private ServerMeters metersOf(ServerAddress server) {
        ServerMeters meters = servers.get(server);
        return meters != null ? meters : servers.computeIfAbsent(server, this::newMeters);
    }

    private ServerMeters newMeters(ServerAddress server) {
        String port = server.isUnixSocket() ? NONE : String.valueOf(server.port());
        return new ServerMeters(registry, tags.and("server.address", server.host(), "server.port", port));
    }

    /** What distinguishes the timers of a server. */
    private record Outcome(String verb, @Nullable Class<? extends MemcachedException> failure) {}

    /** The meters of one server. */
    private static final class ServerMeters {

        private final MeterRegistry registry;
        private final Tags tags;
        private final Map<Outcome, Timer> timers = new ConcurrentHashMap<>();
        private final Counter hits;
        private final Counter misses;
        private final Counter losses;

        /** The connections that were opened and not closed. */
        private final Set<ConnectionStatus> connections = ConcurrentHashMap.newKeySet();

        ServerMeters(MeterRegistry registry, Tags tags) {
            this.registry = registry;
            this.tags = tags;
            hits = gets("hit");
            misses = gets("miss");
            losses = Counter.builder("memshard.connection.losses")
                    .description("Open connections that were lost")
                    .tags(tags)
                    .register(registry);
            connectionGauge("used", connection -> connection.inFlight() > 0);
            connectionGauge("idle", connection -> connection.inFlight() == 0);
            Gauge.builder("db.client.connection.pending_requests", connections, ServerMeters::inFlight)
                    .description("Commands queued or awaiting their replies")
                    .baseUnit("requests")
                    .tags(tags)
                    .register(registry);
        }

        private Counter gets(String result) {
            return Counter.builder("cache.gets")
                    .description("Keys whose value was requested")
                    .tags(tags.and("result", result))
                    .register(registry);
        }

        private void connectionGauge(String state, Predicate<ConnectionStatus> inState) {
            Gauge.builder("db.client.connection.count", connections, all -> countReady(all, inState))
                    .description("Open connections")
                    .baseUnit("connections")
                    .tags(tags.and("db.client.connection.state", state))
                    .register(registry);
        }

        private static double countReady(Set<ConnectionStatus> connections, Predicate<ConnectionStatus> inState) {
            return connections.stream()
                    .filter(connection -> connection.state() == ConnectionState.READY)
                    .filter(inState)
                    .count();
        }

        private static double inFlight(Set<ConnectionStatus> connections) {
            return connections.stream().mapToInt(ConnectionStatus::inFlight).sum();
        }

        void commandEnded(CommandEnd end) {
            MemcachedException failure = end.failure();
            Outcome outcome = new Outcome(end.verb(), failure == null ? null : failure.getClass());
            Timer timer = timers.get(outcome);
            if (timer == null) {
                timer = timers.computeIfAbsent(outcome, this::newTimer);
            }
            timer.record(end.durationNanos(), TimeUnit.NANOSECONDS);
            if (end.hits() >= 0) {
                hits.increment(end.hits());
                misses.increment(end.keys() - end.hits());
            }
        }

        private Timer newTimer(Outcome outcome) {
            Class<?> failure = outcome.failure();
            return Timer.builder("db.client.operation.duration")
                    .description("Commands, from the call until the caller had the result")
                    .tags(tags.and(
                            "db.operation.name",
                            outcome.verb(),
                            "error.type",
                            failure == null ? NONE : failure.getSimpleName()))
                    .register(registry);
        }
    }
}
