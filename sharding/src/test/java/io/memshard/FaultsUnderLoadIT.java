// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.CheckingCallers.Over;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memcacheds that are killed, stopped and started again under load: no value is wrong, no call hangs, failures are of
 * the kinds that the policy names, and afterwards no thread or connection is left over.
 *
 * <p>For how long each soak goes on at least is the system property {@code memshard.soak.seconds}.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class FaultsUnderLoadIT {

    private static final Logger LOG = LoggerFactory.getLogger(FaultsUnderLoadIT.class);

    private static final int SECONDS = Integer.getInteger("memshard.soak.seconds", 0);
    private static final int CALLERS = SECONDS < 60 ? 16 : 200;
    private static final Duration REQUEST = Duration.ofMillis(200);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** More than all callers send to a server that is stopped. */
    private static final int MOST_IN_FLIGHT = 1 << 17;

    private static final int SERVERS = 4;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final AtomicInteger ejections = new AtomicInteger();

    @AfterEach
    void close() {
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    private String startServers(int count) {
        int first = servers.size();
        IntStream.range(0, count).forEach(i -> servers.add(MemcachedProcess.start()));
        return servers.stream()
                .skip(first)
                .map(server -> "127.0.0.1:" + server.port())
                .collect(Collectors.joining(", "));
    }

    @Test
    void serversAreEjectedAndTakenBackWithAGutter() throws Exception {
        serversAreEjectedAndTakenBack(ServerDownPolicy.GUTTER);
    }

    @Tag("deep")
    @Test
    void serversAreEjectedAndTakenBackWithMisses() throws Exception {
        serversAreEjectedAndTakenBack(ServerDownPolicy.MISS);
    }

    private void serversAreEjectedAndTakenBack(ServerDownPolicy policy) throws Exception {
        try (Memshard memshard = Memshard.builder()
                .servers(startServers(SERVERS))
                .gutter(startServers(1))
                .serverDown(policy)
                .connectionsPerServer(2)
                .requestTimeout(REQUEST)
                .maxInFlight(MOST_IN_FLIGHT)
                .probeDelay(Duration.ofMillis(50), Duration.ofMillis(500))
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(100))
                .listener(countingEjections())
                .build()) {
            memshard.awaitReady(LONG);
            Over over = new Over(
                    memshard.client(Transcoder.utf8()),
                    memshard.asyncClient(Transcoder.utf8()),
                    // Between the gutter and a server that was only stopped, a caller may read what is older.
                    policy == ServerDownPolicy.GUTTER ? memshard::serverStatuses : memshard.cluster()::topology);
            soak(over, memshard);
        }
    }

    private ConnectionListener countingEjections() {
        return new ConnectionListener() {
            @Override
            public void serverStateChanged(ServerStatus before, ServerStatus now) {
                if (before.state() == ServerState.UP) {
                    ejections.incrementAndGet();
                }
            }
        };
    }

    private void soak(Over over, Memshard memshard) throws Exception {
        useAll(over);
        int threadsBefore = threads().size();
        List<Long> connectionsBefore = connections(memshard);
        Set<Class<?>> kinds = Set.of(MemcachedConnectionException.class, MemcachedTimeoutException.class);
        CheckingCallers callers =
                new CheckingCallers(over, CALLERS, (MemcachedException e) -> kinds.contains(e.getClass()), true);
        callers.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<MemcachedProcess> failing = servers.subList(0, SERVERS);
        int faults = new RandomFaults(1, Duration.ofMillis(400))
                .killing(1, failing, Duration.ofSeconds(2))
                .hanging(1, failing, Duration.ofSeconds(2))
                .causeUntil(() -> !callers.wrong().isEmpty()
                        || end - System.nanoTime() <= 0 && callers.checked() > 0 && ejections.get() > 0);
        callers.end();
        LOG.info(
                "{} writes checked, {} faults, {} ejections, {} failures",
                callers.checked(),
                faults,
                ejections,
                callers.failures());

        assertThat(callers.wrong()).isEmpty();
        awaitBaseline(memshard, threadsBefore, connectionsBefore);
        useAll(over);
    }

    /** Every server and every kind of caller. */
    private static void useAll(Over over) {
        Map<String, String> values =
                IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(i -> "all" + i, i -> "value " + i));
        MemcachedClient<String> patient = over.client().withTimeout(LONG);
        patient.multiSet(values, HOUR).doneOrThrow();
        assertThat(patient.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);
        assertThat(patient.async().multiGet(values.keySet()).join().hitsOrThrow())
                .isEqualTo(values);
    }

    private void awaitBaseline(Memshard memshard, int threads, List<Long> connections) {
        eventually(
                "every server is up",
                () -> memshard.health(LONG).isUp()
                        && memshard.serverStatuses().stream().allMatch(status -> status.state() == ServerState.UP));
        memshard.awaitReady(LONG);
        eventually("no more threads than before", () -> threads().size() <= threads);
        eventually("one thread stands by for a connection", () -> {
            List<String> names = threads("memshard-standby");
            return names.size() == Set.copyOf(names).size();
        });
        eventually("no more connections than before", () -> {
            List<Long> now = connections(memshard);
            return IntStream.range(0, now.size()).allMatch(i -> now.get(i) <= connections.get(i));
        });
    }

    /** The threads of clients without those that end when idle for some seconds or stand by for callers. */
    private List<String> threads() {
        List<String> ending = List.of("memshard-connect", "memshard-complete", "memshard-listener", "memshard-standby");
        return threads("memshard").stream()
                .filter(name -> ending.stream().noneMatch(name::startsWith))
                .toList();
    }

    private List<String> threads(String prefix) {
        return leaks.threadsSince().stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    /** How many connections each server has, in the order of the servers. */
    private static List<Long> connections(Memshard memshard) {
        return memshard.admin().stats("conns").answersOrThrow().values().stream()
                .map(stats -> stats.keySet().stream()
                        .filter(name -> name.endsWith(":state"))
                        .count())
                .toList();
    }
}
