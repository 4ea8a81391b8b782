// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        ZonedMemshard zoned = Fleet.patient()
                .servers("127.0.0.1:%d@a, 127.0.0.1:%d@b, 127.0.0.1:%d@c"
                        .formatted(servers.stream().map(MemcachedProcess::port).toArray()))
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
    void stoppedZoneDelaysNoWriteThatOneAcknowledges() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b").withAcknowledgement(Acknowledgement.ONE));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        servers.get(0).stop();

        // Each of them would take LONG if it waited, which is more than the test has for all.
        for (int i = 0; i < 20; i++) {
            client.set("key" + i, "v", HOUR);
            client.delete("gone" + i);
        }

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

    @Test
    void badSettingsAreRefusedByName() {
        MemshardBuilder builder = Fleet.patient().servers("a:1@eu-1, b:2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.buildZones(ReplicaOptions.of("eu-1")))
                .withMessage("servers: b:2 has no zone, but this client has zones: write b:2@eu-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.patient().servers("a:1@eu-1, b:2@eu-2").buildZones(ReplicaOptions.of("x")))
                .withMessageContaining("own zone \"x\" is none of the zones [eu-1, eu-2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.patient().servers("a:1@eu-1").buildZones(ReplicaOptions.of("eu-1")))
                .withMessageContaining("give at least two");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.patient().servers("a:1@eu-1").build())
                .withMessageContaining("buildZones");
    }
}
