// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.replica.ZoneResult;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Zones of real servers that are killed, stopped and started again. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(300)
class ZonesIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers =
            IntStream.range(0, 3).mapToObj(i -> MemcachedProcess.start()).toList();
    private final List<ZonedMemshard> opened = new ArrayList<>();

    private ZonedMemshard open(ReplicaOptions options) {
        ZonedMemshard zoned = Memshard.builder()
                .servers("127.0.0.1:%d@a, 127.0.0.1:%d@b, 127.0.0.1:%d@c"
                        .formatted(servers.stream().map(MemcachedProcess::port).toArray()))
                .requestTimeout(LONG)
                .connectTimeout(LONG)
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .buildZones(options);
        opened.add(zoned);
        zoned.awaitReady(LONG);
        return zoned;
    }

    @AfterEach
    void close() {
        opened.forEach(ZonedMemshard::close);
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    @Test
    void resultTellsWhichZonesTookPart() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b"));

        ZoneResult<Boolean> added = zoned.call(Transcoder.utf8(), client -> client.add("k", "v", HOUR));
        assertThat(added.value()).isTrue();
        assertThat(added.servedBy()).containsExactlyInAnyOrder("a", "b", "c");

        servers.get(1).kill();
        ZoneResult<String> got = zoned.call(Transcoder.utf8(), client -> client.get("k"));
        assertThat(got.value()).isEqualTo("v");
        assertThat(got.servedBy()).containsExactly("a");
        assertThat(got.failedIn()).containsExactly("b");
        assertThat(zoned.start(Transcoder.utf8(), client -> client.get("k"))
                        .join()
                        .servedBy())
                .containsExactly("a");
    }

    @Test
    void stoppedZoneDelaysNoWriteThatOneAcknowledges() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b").withAcknowledgement(Acknowledgement.ONE));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        servers.get(0).stop();

        long startNanos = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            client.set("key" + i, "v", HOUR);
            client.delete("gone" + i);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        assertThat(took).isLessThan(LONG.dividedBy(2)); // Each of them alone would take LONG if it waited.

        servers.get(0).resume();
        MemcachedClient<String> ofA = zoned.zone("a").client(Transcoder.utf8());
        eventually("the zone has the writes too", () -> "v".equals(ofA.get("key19")));
    }

    @Test
    void stoppedZoneIsReadElsewhereInTime() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b"));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        client.multiSet(Map.of("k", "v", "l", "w"), HOUR).storedOrThrow();
        servers.get(1).stop();

        // Half of it is for the other zones, and is longer than a busy machine takes.
        MemcachedClient<String> reader = client.withTimeout(Duration.ofSeconds(2));
        assertThat(reader.get("k")).isEqualTo("v");
        assertThat(reader.async().get("k").join()).isEqualTo("v");
        assertThat(reader.multiGet(List.of("k", "l")).hitsOrThrow()).hasSize(2);
        assertThatThrownBy(() -> client.withTimeout(SHORT).set("k", "v", HOUR))
                .isInstanceOfSatisfying(
                        MemcachedReplicationException.class,
                        failure -> assertThat(failure.failures()).containsOnlyKeys("b"));
        servers.get(1).resume();
    }

    @Test
    void writeThatFailedInAStoppedZoneMayBeDoneThereLater() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b"));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        client.set("k", "old", HOUR);
        servers.get(1).stop();

        assertThatThrownBy(() -> client.withTimeout(SHORT).set("k", "new", HOUR))
                .isInstanceOfSatisfying(
                        MemcachedReplicationException.class,
                        failure -> assertThat(failure.failures())
                                .containsOnlyKeys("b")
                                .allSatisfy((zone, ofZone) ->
                                        assertThat(ofZone.isSafeToRetry()).isFalse()));
        servers.get(1).resume();
        MemcachedClient<String> ofB = zoned.zone("b").client(Transcoder.utf8());
        eventually("the zone has the write too", () -> "new".equals(ofB.get("k")));
    }

    @Test
    void restartedZoneIsFilledFromTheOthersWithTheRemainingTimeToLive() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b").addingOnMiss());
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        client.set("k", "v", HOUR);
        servers.get(1).restart();
        MemcachedClient<String> own =
                zoned.zone("b").client(Transcoder.utf8()).withFailurePolicy(FailurePolicy.TREAT_AS_MISS);

        // A read whose own zone fails copies nothing; one that misses does.
        eventually("in its own zone", () -> "v".equals(client.get("k")) && "v".equals(own.get("k")));

        assertThat(own.meta().get(GetRequest.of("k").returning(ItemField.TTL)).ttl())
                .hasValueSatisfying(ttl -> assertThat(ttl).isBetween(Duration.ofMinutes(59), HOUR));
    }

    /** Each key has one writer, which counts up; readers never see a number above the writer's or of another key. */
    @Test
    void zonesThatComeAndGoUnderLoadGiveNoWrongValueAndHoldNobodyUp() throws Exception {
        ZonedMemshard zoned = open(ReplicaOptions.of("b").withAcknowledgement(Acknowledgement.MAJORITY));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        AsyncMemcachedClient<String> async = zoned.asyncClient(Transcoder.utf8());
        AtomicBoolean over = new AtomicBoolean();
        ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        AtomicLong successes = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            String key = "key" + t;
            boolean blocking = t % 2 == 0;
            Thread thread = new Thread(() -> {
                for (int n = 0; !over.get(); n++) {
                    String value = key + '=' + n;
                    try {
                        String read;
                        if (blocking) {
                            client.set(key, value, HOUR);
                            read = client.get(key);
                        } else {
                            read = async.set(key, value, HOUR)
                                    .thenCompose(done -> async.get(key))
                                    .join();
                        }
                        if (read != null && !read.startsWith(key + '=')) {
                            wrong.add(new AssertionError(read + " in place of " + value));
                        }
                        successes.incrementAndGet();
                    } catch (Throwable e) {
                        // A write fails in the moment in which a socket is lost.
                        if (!(Futures.cause(e) instanceof MemcachedException)) {
                            wrong.add(e);
                        }
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (MemcachedProcess server : servers) {
            server.kill();
            awaitMore(successes);
            server.restart();
            awaitMore(successes);
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join(100_000);
            assertThat(thread.isAlive()).isFalse();
        }

        assertThat(wrong).isEmpty();
        client.set("after", "v", HOUR);
        assertThat(client.get("after")).isEqualTo("v");
    }

    private static void awaitMore(AtomicLong successes) {
        long before = successes.get();
        eventually("the load goes on", () -> successes.get() >= before + 100);
    }

    @Test
    void countersAreRefusedWithoutAnOwner() {
        assertThatThrownBy(() ->
                        open(ReplicaOptions.of("b")).client(Transcoder.utf8()).incr("n", 1))
                .isInstanceOf(MemcachedUnsupportedException.class)
                .hasMessageContaining("withOwner");
    }

    @Test
    void badSettingsAreRefusedByName() {
        MemshardBuilder builder = Memshard.builder().servers("a:1@eu-1, b:2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.buildZones(ReplicaOptions.of("eu-1")))
                .withMessage("servers: b:2 has no zone, and this client has zones: write b:2@eu-1");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Memshard.builder().servers("a:1@eu-1, b:2@eu-2").buildZones(ReplicaOptions.of("x")))
                .withMessageContaining("own zone \"x\" is none of the zones [eu-1, eu-2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Memshard.builder().servers("a:1@eu-1").buildZones(ReplicaOptions.of("eu-1")))
                .withMessageContaining("give at least two");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Memshard.builder().servers("a:1@eu-1").build())
                .withMessageContaining("buildZones");
    }
}
