// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.transcoder.Transcoder;
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

/** Zones of real servers, of which one is stopped for a while. */
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
    void stoppedZoneIsReadElsewhereInTime() {
        ZonedMemshard zoned = open(ReplicaOptions.of("b"));
        MemcachedClient<String> client = zoned.client(Transcoder.utf8());
        client.multiSet(Map.of("k", "v", "l", "w"), HOUR).doneOrThrow();
        servers.get(1).stop();

        // Half of it is for the other zones, and is longer than a busy machine takes.
        MemcachedClient<String> reader = client.withTimeout(Duration.ofSeconds(2));
        assertThat(reader.get("k")).isEqualTo("v");
        assertThat(reader.async().get("k").join()).isEqualTo("v");
        assertThat(reader.multiGet(List.of("k", "l")).hitsOrThrow()).hasSize(2);
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
    void badSettingsAreRefusedByName() {
        MemshardBuilder builder = Fleet.patient().servers("a:1@eu-1, b:2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.buildZones(ReplicaOptions.of("eu-1")))
                .withMessage("servers: b:2 has no zone, but this client has zones: write b:2@eu-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.patient().servers("a:1@eu-1, b:2@eu-2").buildZones(ReplicaOptions.of("x")))
                .withMessageContaining("own zone \"x\" is not one of the zones [eu-1, eu-2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fleet.patient().servers("a:1@eu-1").buildZones(ReplicaOptions.of("eu-1")))
                .withMessageContaining("name at least two");
    }
}
