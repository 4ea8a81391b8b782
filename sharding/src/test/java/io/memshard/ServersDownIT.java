// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three memcacheds of which one is killed, stopped or started anew, and a spare one. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(300)
class ServersDownIT {

    private static final int COUNT = 3;
    private static final int EJECT_AFTER = 5;
    private static final Duration HOUR = Duration.ofHours(1);

    /** For a server that does not answer. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private static final Duration LONG = Duration.ofSeconds(60);

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final List<ServerStatus> changes = new CopyOnWriteArrayList<>();

    private MemcachedProcess spare;
    private Memshard memshard;
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;

    @BeforeEach
    void start() {
        IntStream.range(0, COUNT).forEach(i -> servers.add(MemcachedProcess.start()));
        spare = MemcachedProcess.start();
        open(builder -> builder);
    }

    private void open(UnaryOperator<MemshardBuilder> settings) {
        if (memshard != null) {
            memshard.close();
        }
        changes.clear();
        memshard = settings.apply(Fleet.patient()
                        .servers(servers.stream().map(ServersDownIT::name).collect(Collectors.joining(", ")))
                        .gutter(name(spare))
                        .ejectAfter(EJECT_AFTER)
                        .probeDelay(Duration.ofMillis(50), Duration.ofMillis(500))
                        .listener(new ConnectionListener() {
                            @Override
                            public void serverStateChanged(ServerStatus before, ServerStatus now) {
                                changes.add(now);
                            }
                        }))
                .build();
        memshard.awaitReady(LONG);
        client = memshard.client(Transcoder.utf8());
        async = memshard.asyncClient(Transcoder.utf8());
    }

    private static String name(MemcachedProcess server) {
        return "127.0.0.1:" + server.port();
    }

    @AfterEach
    void close() {
        memshard.close();
        servers.forEach(MemcachedProcess::close);
        spare.close();
        leaks.assertNothingLeft();
    }

    private ServerState state(int server) {
        return memshard.serverStatuses().get(server).state();
    }

    private ServerLocator locator() {
        return Ring.libmemcachedWeighted().locator(memshard.servers());
    }

    /** Keys of the server at this index. */
    private List<String> keysOf(int server) {
        ServerLocator locator = locator();
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(key -> locator.locate(key) == server)
                .limit(50)
                .toList();
    }

    private String keyOf(int server) {
        return keysOf(server).get(0);
    }

    /** Uses the server until it is ejected. */
    private void awaitEjected(int server) {
        String key = keyOf(server);
        eventually("ejected", () -> {
            try {
                client.withServerDown(ServerDownPolicy.FAIL_FAST)
                        .withTimeout(SHORT)
                        .get(key);
            } catch (MemcachedException e) {
                // Which is what ejects it.
            }
            return state(server) != ServerState.UP;
        });
    }

    private void awaitUp(int server) {
        eventually("taken back", () -> state(server) == ServerState.UP);
    }

    private static Map<String, String> valuesOf(List<String> keys, String value) {
        return keys.stream().collect(Collectors.toMap(Function.identity(), key -> value));
    }

    /** What a server itself has under a key. */
    private static String valueAt(MemcachedProcess server, String key) {
        try (Memshard direct = Fleet.patient().servers(name(server)).build()) {
            return direct.client(Transcoder.utf8()).get(key);
        }
    }

    @Test
    void killedServerIsEjectedAndItsKeysFailAtOnceWithItsNameAndState() {
        servers.get(1).kill();
        awaitEjected(1);

        assertThatThrownBy(() -> client.get(keyOf(1)))
                .isInstanceOfSatisfying(MemcachedConnectionException.class, e -> {
                    assertThat(e.isSafeToRetry()).isTrue();
                    assertThat(e.context().server()).isEqualTo(name(servers.get(1)));
                })
                .hasMessageContaining("the server has been EJECTED since ")
                .hasMessageContaining("5 failures in a row, the last: ")
                .hasMessageContaining(name(servers.get(1)));
        assertThatThrownBy(() -> client.set(keyOf(1), "v", HOUR)).hasMessageContaining("EJECTED");
        assertThatThrownBy(() -> async.get(keyOf(1)).join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("EJECTED");
        client.set(keyOf(0), "v", HOUR);
        assertThat(client.get(keyOf(0))).isEqualTo("v");
        assertThat(client.version()).isNotEmpty();
        assertThat(memshard.serverStatuses()).hasSize(COUNT + 1);
        eventually("told", () -> !changes.isEmpty());
        assertThat(changes.get(0).state()).isEqualTo(ServerState.EJECTED);
        assertThat(changes)
                .allSatisfy(change -> assertThat(change.server())
                        .isEqualTo(memshard.servers().get(1).address()));
    }

    @Test
    void everyChangeIsRecorded(@TempDir Path folder) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("io.memshard.ServerState");
            recording.start();
            servers.get(1).kill();
            awaitEjected(1);
            String server = name(servers.get(1));
            servers.get(1).restart();
            awaitUp(1);
            // Listeners are told after the recording.
            eventually(
                    "told",
                    () -> !changes.isEmpty() && changes.get(changes.size() - 1).state() == ServerState.UP);
            Path file = folder.resolve("down.jfr");
            recording.dump(file);
            assertThat(RecordingFile.readAllEvents(file).stream()
                            .filter(event -> event.getEventType().getName().equals("io.memshard.ServerState"))
                            .sorted(Comparator.comparing(RecordedEvent::getStartTime)))
                    .allSatisfy(event -> assertThat(event.getString("server")).isEqualTo(server))
                    .extracting(event -> event.getString("from") + " " + event.getString("to"))
                    .startsWith("UP EJECTED", "EJECTED PROBING")
                    .endsWith("PROBING UP");
        }
    }

    @Test
    void stoppedServerIsEjectedAfterSeveralTimeoutsAndNotAfterOne() {
        client.set(keyOf(1), "v", HOUR);
        servers.get(1).stop();
        long start = System.nanoTime();
        assertThatThrownBy(() -> client.withTimeout(SHORT).get(keyOf(1))).isInstanceOf(MemcachedTimeoutException.class);
        assertThat(state(1)).isEqualTo(ServerState.UP);
        awaitEjected(1);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(EJECT_AFTER * SHORT.toNanos());
        assertThatThrownBy(() -> client.get(keyOf(1)))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("EJECTED");

        servers.get(1).resume();
        awaitUp(1);
        assertThat(client.get(keyOf(1))).isEqualTo("v");
    }

    @Test
    void pauseThatManyCallersMeetEjectsNothing() {
        // More than one failure a pause: on a busy machine the callers begin and end at several times.
        open(builder -> builder.ejectAfter(20));
        List<String> keys = keysOf(1);
        AsyncMemcachedClient<String> impatient = async.withTimeout(SHORT);
        client.multiSet(valuesOf(keys, "v"), HOUR).doneOrThrow();
        for (int round = 0; round < 3; round++) {
            servers.get(1).stop();
            keys.stream()
                    .map(impatient::get)
                    .toList()
                    .forEach(
                            each -> assertThatThrownBy(each::join).hasCauseInstanceOf(MemcachedTimeoutException.class));
            servers.get(1).resume();
            assertThat(client.get(keys.get(0))).isEqualTo("v");
        }
        assertThat(state(1)).isEqualTo(ServerState.UP);
        assertThat(changes).isEmpty();
    }

    @Test
    void readsOfAnEjectedServerAreMissesAndWritesFail() {
        client.set(keyOf(0), "v", HOUR);
        servers.get(1).kill();
        awaitEjected(1);
        MemcachedClient<String> missing = client.withServerDown(ServerDownPolicy.MISS);

        assertThat(missing.get(keyOf(1))).isNull();
        assertThat(missing.gets(keyOf(1))).isNull();
        assertThat(async.withServerDown(ServerDownPolicy.MISS).get(keyOf(1)).join())
                .isNull();
        assertThat(client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                        .withServerDown(ServerDownPolicy.FAIL_FAST)
                        .get(keyOf(1)))
                .as("the failure policy stays")
                .isNull();
        MultiGetResult<String> many = missing.multiGet(List.of(keyOf(0), keyOf(1)));
        assertThat(many.hits()).isEqualTo(Map.of(keyOf(0), "v"));
        assertThat(many.misses()).containsExactly(keyOf(1));
        assertThatThrownBy(() -> missing.set(keyOf(1), "v", HOUR)).isInstanceOf(MemcachedConnectionException.class);
        assertThatThrownBy(() -> missing.delete(keyOf(1))).isInstanceOf(MemcachedConnectionException.class);
        assertThatThrownBy(() -> client.get(keyOf(1))).isInstanceOf(MemcachedConnectionException.class);
    }

    @Test
    void nextServerTakesReadsAndWritesForAShortTime() {
        servers.get(1).kill();
        awaitEjected(1);
        MemcachedClient<String> next = client.withServerDown(ServerDownPolicy.NEXT_SERVER);
        List<String> keys = keysOf(1);
        int other = locator().locate(keys.get(0), server -> server != 1);

        next.set(keys.get(0), "v", HOUR);
        assertThat(next.get(keys.get(0))).isEqualTo("v");
        assertThat(valueAt(servers.get(other), keys.get(0))).isEqualTo("v");
        MetaItem<String> item = next.meta().get(GetRequest.of(keys.get(0)).returning(ItemField.TTL));
        assertThat(item.ttl())
                .hasValueSatisfying(ttl -> assertThat(ttl)
                        .isLessThanOrEqualTo(Duration.ofSeconds(60))
                        .isPositive());
        next.multiSet(valuesOf(keys, "many"), HOUR).doneOrThrow();
        assertThat(next.multiGet(keys).hitsOrThrow()).isEqualTo(valuesOf(keys, "many"));
        assertThat(next.multiDelete(keys).failures()).isEmpty();
        assertThat(next.get(keys.get(0))).isNull();
    }

    @Test
    void nextServerTakesOnlyReads() {
        servers.get(1).kill();
        awaitEjected(1);
        MemcachedClient<String> reads = client.withServerDown(ServerDownPolicy.NEXT_SERVER_FOR_READS);
        client.withServerDown(ServerDownPolicy.NEXT_SERVER).set(keyOf(1), "there", HOUR);

        assertThat(reads.get(keyOf(1))).isEqualTo("there");
        assertThat(reads.multiGet(keysOf(1)).hitsOrThrow()).containsOnlyKeys(keyOf(1));
        assertThatThrownBy(() -> reads.set(keyOf(1), "v", HOUR)).hasMessageContaining("EJECTED");
        assertThat(reads.multiSet(valuesOf(keysOf(1), "v"), HOUR).failures()).hasSize(50);
    }

    @Test
    void gutterTakesTheKeysOfAServerThatIsDown() {
        Duration failoverTtl = Duration.ofSeconds(100);
        open(builder -> builder.serverDown(ServerDownPolicy.GUTTER).failoverTtl(failoverTtl));
        servers.get(1).kill();
        awaitEjected(1);
        List<String> keys = keysOf(1);

        client.set(keys.get(0), "v", HOUR);
        assertThat(client.get(keys.get(0))).isEqualTo("v");
        assertThat(valueAt(spare, keys.get(0))).isEqualTo("v");
        GetRequest ttl = GetRequest.of(keys.get(0)).returning(ItemField.TTL);
        assertThat(client.meta().get(ttl).ttl())
                .hasValueSatisfying(left -> assertThat(left).isPositive().isLessThanOrEqualTo(failoverTtl));
        client.multiSet(valuesOf(keys, "many"), HOUR).doneOrThrow();
        assertThat(client.multiGet(keys).hitsOrThrow()).isEqualTo(valuesOf(keys, "many"));
        client.set(keyOf(0), "at home", HOUR);
        assertThat(valueAt(spare, keyOf(0))).isNull();

        servers.get(1).restart();
        awaitUp(1);
        client.set(keys.get(0), "own", HOUR);
        assertThat(valueAt(servers.get(1), keys.get(0))).isEqualTo("own");
    }

    @Test
    void gutterThatIsDownTooRefuses() {
        open(builder -> builder.serverDown(ServerDownPolicy.GUTTER));
        servers.get(1).kill();
        spare.kill();
        awaitEjected(1);
        eventually("the spare one too", () -> {
            try {
                client.get(keyOf(1));
            } catch (MemcachedException e) {
                // Which is what ejects it.
            }
            return state(COUNT) != ServerState.UP;
        });
        assertThatThrownBy(() -> client.get(keyOf(1))).hasMessageContaining(name(servers.get(1)));
    }

    @Test
    void onlyServerThatCannotBeConnectedToIsUnreachableAndNotEjected() {
        try (Memshard alone =
                Fleet.patient().servers(name(servers.get(0))).ejectAfter(2).build()) {
            MemcachedClient<byte[]> lonely = alone.client();
            lonely.version();
            servers.get(0).kill();
            eventually("unreachable", () -> {
                assertThatThrownBy(() -> lonely.get("a"))
                        .isInstanceOf(MemcachedConnectionException.class)
                        .hasMessageNotContaining("EJECTED");
                return alone.serverStatuses().get(0).state() == ServerState.UNREACHABLE;
            });
            assertThat(alone.serverStatuses().get(0).reason()).contains("refused");
            servers.get(0).restart();
            eventually("up", () -> alone.serverStatuses().get(0).state() == ServerState.UP);
        }
    }

    @Test
    void onlyServerThatIsSilentIsEjectedUntilItAnswers() {
        try (Memshard alone = Fleet.patient().servers(name(servers.get(0))).build()) {
            MemcachedClient<byte[]> lonely = alone.client();
            MemcachedClient<byte[]> missing = lonely.withServerDown(ServerDownPolicy.MISS);
            MemcachedClient<byte[]> next = lonely.withServerDown(ServerDownPolicy.NEXT_SERVER);
            lonely.set("a", new byte[1], Duration.ofHours(1));
            servers.get(0).stop();
            eventually("the server is ejected", () -> {
                assertThatThrownBy(() -> lonely.withTimeout(SHORT).get("a")).isInstanceOf(MemcachedException.class);
                return alone.serverStatuses().get(0).state() != ServerState.UP;
            });
            assertThatThrownBy(() -> lonely.get("a"))
                    .isInstanceOf(MemcachedConnectionException.class)
                    .hasMessageContaining("EJECTED");
            assertThatThrownBy(() -> next.get("a")).isInstanceOf(MemcachedConnectionException.class);
            assertThat(missing.get("a")).isNull();
            assertThat(missing.multiGet(List.of("a", "b")).misses()).hasSize(2);
            servers.get(0).resume();
            eventually(
                    "the server is taken back",
                    () -> alone.serverStatuses().get(0).state() == ServerState.UP);
            assertThat(lonely.get("a")).hasSize(1);
        }
    }

    @Test
    void serverThatIsEjectedMayLeave() {
        servers.get(1).kill();
        awaitEjected(1);
        List<Server> staying = new ArrayList<>(memshard.servers());
        staying.remove(1);
        memshard.replace(staying);
        client.set("anything", "v", HOUR);
        assertThat(memshard.serverStatuses()).hasSize(COUNT);
        assertThat(memshard.serverStatuses()).allMatch(each -> each.state() == ServerState.UP);
    }
}
