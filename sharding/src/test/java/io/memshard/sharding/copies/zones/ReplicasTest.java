// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.copies.FakeCluster;
import io.memshard.sharding.copies.FakeFleet;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ReplicasTest extends ZonesFixture {

    // Reads.

    /** The zones that have a value, those that fail, what is found, and what the zones have afterwards. */
    static Stream<Arguments> reads() {
        ReplicaOptions reading = OPTIONS.readingOthersOnMiss();
        return Stream.of(
                arguments(OPTIONS, "a", "", null, "v null null"),
                arguments(OPTIONS, "c", "ab", "v", "null null v"),
                arguments(OPTIONS, "", "b", null, "null null null"),
                arguments(reading, "", "b", null, "null null null"),
                arguments(reading, "c", "", "v", "null null v"),
                arguments(reading, "c", "a", "v", "null null v"),
                arguments(OPTIONS.addingOnMiss(), "c", "", "v", "null v v"));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void readQueriesOtherZonesOnAFailureOrIfEnabled(
            ReplicaOptions options, String having, String failing, @Nullable String found, String after) {
        List<FakeFleet> zones = List.of(a, b, c);
        zones.stream()
                .filter(zone -> having.contains(zone.toString()))
                .forEach(zone -> over(zone).set("k", "v", HOUR));
        zones.stream().filter(zone -> failing.contains(zone.toString())).forEach(zone -> zone.down(true));
        assertThat(client(options).get("k")).isEqualTo(found);
        assertThat(async(options).get("k").join()).isEqualTo(found);
        assertThat(client(options).multiGet(List.of("k", "l")).hits().get("k")).isEqualTo(found);
        assertThat(last().failures().keySet()).allMatch(failing::contains);
        zones.forEach(zone -> zone.down(false));
        assertThat(String.join(" ", values("k"))).isEqualTo(after);
    }

    @Test
    void readOfAZoneThatHangsIsServedByTheNextInTime() {
        over(a).set("k", "v", HOUR);
        b.hang("mg k");

        assertThat(client(OPTIONS).get("k")).isEqualTo("v");
        assertThat(async(OPTIONS).get("k").join()).isEqualTo("v");

        assertThat(b.waits()).hasSize(2).allSatisfy(wait -> assertThat(wait).isLessThanOrEqualTo(HOUR.dividedBy(3)));
    }

    @Test
    void readThatFailsEverywhereFailsAsTheOwnZoneDid() {
        List.of(a, b, c).forEach(zone -> zone.down(true));

        assertThatThrownBy(() -> client(OPTIONS).get("k"))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("on b[")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
        assertThat(async(OPTIONS).get("k"))
                .failsWithin(HOUR)
                .withThrowableThat()
                .withCauseInstanceOf(MemcachedConnectionException.class);
    }

    // Writes.

    @Test
    void writesGoToAllZones() {
        client(OPTIONS).set("k", "v", HOUR);
        assertThat(values("k")).containsExactly("v", "v", "v");
        assertThat(last().served()).containsOnlyKeys("a", "b", "c");

        assertThat(client(OPTIONS).touch("k", Duration.ofMinutes(1))).isTrue();
        assertThat(client(OPTIONS).delete("k")).isTrue();
        assertThat(values("k")).containsExactly("null", "null", "null");
    }

    @Test
    void acknowledgementOfAllNamesTheZoneThatFails() {
        a.down(true);

        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client(OPTIONS).set("k", "v", HOUR))
                .satisfies(failure -> {
                    assertThat(failure.done()).containsExactlyInAnyOrder("b", "c");
                    assertThat(failure.failures()).containsOnlyKeys("a");
                    assertThat(failure.isSafeToRetry()).isFalse();
                })
                .withMessageContaining("acknowledgement=ALL needs 3 of 3 zones")
                .withMessageContaining("a: refused");
        a.down(false);
        assertThat(values("k")).containsExactly("null", "v", "v");
    }

    /** Only a proxy refuses a store that has no condition. */
    @Test
    void zoneThatRefusesOneOfManyStoresHasNotAcknowledgedIt() {
        a.answer("multiSet", "HD O#0\r\nNS O#1\r\n");

        MultiWriteResult result = client(OPTIONS).multiSet(new TreeMap<>(Map.of("k", "v", "l", "w")), HOUR);

        assertThat(result.done()).containsExactly("k");
        assertThat(result.failures()).containsOnlyKeys("l");
        assertThat(result.failures().get("l")).hasMessageContaining("the server answered NOT_STORED");
    }

    @Test
    void writeThatWasSentNowhereIsSafeToRetry() {
        List.of(a, b, c).forEach(zone -> zone.down(true));

        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client(OPTIONS).set("k", "v", HOUR))
                .matches(MemcachedException::isSafeToRetry);
    }

    @Test
    void majorityNeedsMoreThanHalf() {
        ReplicaOptions majority = OPTIONS.withAcknowledgement(Acknowledgement.MAJORITY);
        a.down(true);
        client(majority).set("k", "v", HOUR);
        assertThat(client(majority).get("k")).isEqualTo("v");

        b.down(true);
        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client(majority).delete("k"))
                .satisfies(failure -> assertThat(failure.done()).containsExactly("c"))
                .withMessageContaining("MAJORITY needs 2 of 3");
    }

    @Test
    void oneDoesNotWaitForAHangingZoneAndReportsItLater() {
        ReplicaOptions one = OPTIONS.withAcknowledgement(Acknowledgement.ONE);
        List.of(a, c).forEach(zone -> zone.holdBack("ms k"));

        assertThat(async(one).set("k", "v", HOUR)).isCompleted();

        assertThat(last().pending()).containsExactlyInAnyOrder("a", "c");
        List.of(a, c).forEach(zone -> zone.down(true).release());
        assertThat(later).containsExactlyInAnyOrder("a set", "c set");
    }

    @Test
    void lateZoneStoresTheArrayAsItWasDuringTheCall() {
        ReplicaOptions one = OPTIONS.withAcknowledgement(Acknowledgement.ONE);
        MemcachedClient<byte[]> client = Clients.blocking(replicas(one), Transcoder.bytes(), 1 << 20, HOUR);
        a.holdBack("ms k");
        byte[] value = {'v'};

        client.set("k", value, HOUR);
        value[0] = 'w';
        a.release();

        assertThat(values("k")).containsExactly("v", "v", "v");
    }

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void writeWaitsForTheOwnZoneHoweverLateItAnswers(Acknowledgement acknowledgement) {
        AsyncMemcachedClient<String> client = async(OPTIONS.withAcknowledgement(acknowledgement));
        b.holdBack("ms k");
        b.holdBack("multiSet");

        CompletableFuture<?> set = client.set("k", "v", HOUR);
        CompletableFuture<?> many = client.multiSet(Map.of("l", "w", "m", "x"), HOUR);
        assertThat(values("k")).containsExactly("v", "null", "v");
        assertThat(set).isNotDone();
        assertThat(many).isNotDone();

        b.release();
        assertThat(set).isCompleted();
        assertThat(many).isCompleted();
        assertThat(client.get("k").join()).isEqualTo("v");
        assertThat(client.multiGet(List.of("l", "m")).join().hits()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"MAJORITY", "ONE"})
    void ownZoneThatFailsIsNotWaitedFor(Acknowledgement acknowledgement) {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(acknowledgement));
        over(a).set("k", "v", HOUR);
        b.down(true);

        client.set("l", "w", HOUR);
        assertThat(client.multiSet(Map.of("m", "x", "n", "y"), HOUR).doneOrThrow())
                .hasSize(2);
        assertThat(client.delete("k")).isTrue();
        assertThat(last().failures()).containsOnlyKeys("b");
    }

    /** The other zones answer first, or last: it makes no difference. */
    @ParameterizedTest
    @CsvSource({"MAJORITY, true", "MAJORITY, false", "ONE, true", "ONE, false"})
    void resultComesFromTheOwnZoneInAnyOrderOfAnswers(Acknowledgement acknowledgement, boolean ownIsLast) {
        AsyncMemcachedClient<String> client = async(OPTIONS.withAcknowledgement(acknowledgement));
        for (FakeFleet zone : List.of(a, c)) {
            over(zone).multiSet(Map.of("others", "v", "m", "v", "t", "v"), HOUR);
        }
        over(b).multiSet(Map.of("own", "v", "n", "v"), HOUR);
        for (FakeFleet late : ownIsLast ? List.of(b) : List.of(a, c)) {
            late.holdBack("m");
        }

        CompletableFuture<Boolean> others = client.delete("others");
        CompletableFuture<Boolean> own = client.delete("own");
        CompletableFuture<Boolean> touched = client.touch("t", HOUR);
        CompletableFuture<MultiWriteResult> many = client.multiDelete(List.of("m", "n"));
        List.of(a, b, c).forEach(FakeFleet::release);

        assertThat(others).isCompletedWithValue(false);
        assertThat(own).isCompletedWithValue(true);
        assertThat(touched).isCompletedWithValue(false);
        assertThat(many.join().doneOrThrow()).containsExactly("n");
        assertThat(values("others")).containsExactly("null", "null", "null");
    }

    @Test
    void multiDeleteInTwoStepsIsReportedOnce() {
        client(OPTIONS.addingOnMiss()).multiDelete(List.of("k", "l"));

        assertThat(outcomes).hasSize(1);
    }

    @Test
    void valueThatIsTooLargeForTheServersFailsAsTooLarge() {
        MemcachedClient<byte[]> client = Clients.blocking(replicas(OPTIONS), Transcoder.bytes(), 1 << 24, HOUR);

        assertThatThrownBy(() -> client.set("k", new byte[2 << 20], HOUR))
                .isInstanceOf(MemcachedValueTooLargeException.class);
    }

    // Many keys.

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key" + i).toList();
    }

    @Test
    void manyKeysAreCutByTheServersOfEachZone() {
        FakeCluster two = new FakeCluster(List.of(new FakeFleet("a1"), new FakeFleet("a2")));
        FakeCluster three = new FakeCluster(List.of(new FakeFleet("b1"), new FakeFleet("b2"), new FakeFleet("b3")));
        MemcachedClient<String> client = over(new Replicas(Map.of("a", two, "b", three), OPTIONS, listener));
        Map<String, String> values = keys(250).stream().collect(Collectors.toMap(key -> key, key -> "of " + key));

        MultiWriteResult stored = client.multiSet(values, HOUR);
        assertThat(stored.done()).hasSize(250);
        assertThat(client.multiGet(keys(251)).hits()).isEqualTo(values);
        assertThat(client.multiGet(keys(251)).misses()).containsExactly("key250");

        three.servers().get(1).down(true);
        assertThat(client.multiGet(keys(250)).hits()).isEqualTo(values);
        assertThat(last().failures()).containsOnlyKeys("b");

        two.servers().forEach(server -> server.down(true));
        MultiGetResult<String> got = client.multiGet(keys(250));
        assertThat(got.failures().keySet())
                .isNotEmpty()
                .allMatch(key -> three.of(key) == three.servers().get(1));
        assertThat(got.hits()).hasSize(250 - got.failures().size());
        assertThat(got.failures().values()).hasOnlyElementsOfType(MemcachedConnectionException.class);

        three.servers().get(1).down(false);
        two.servers().get(0).down(false);
        MultiWriteResult deleted = client.multiDelete(keys(250));
        assertThat(deleted.failures().values()).hasOnlyElementsOfType(MemcachedReplicationException.class);
        assertThat(deleted.failures().keySet())
                .allMatch(key -> two.of(key) == two.servers().get(1));
        assertThat(deleted.done()).hasSize(250 - deleted.failures().size());
    }

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void manyWritesAreAcknowledgedEachByItself(Acknowledgement acknowledgement) {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(acknowledgement));
        c.refuse("multiSet");

        MultiWriteResult result = client.multiSet(Map.of("k", "v", "l", "w"), HOUR);

        if (acknowledgement == Acknowledgement.ALL) {
            assertThat(result.failures()).containsOnlyKeys("k", "l");
            assertThat(result.failures().values())
                    .allSatisfy(failure -> assertThat(((MemcachedReplicationException) failure).done())
                            .containsExactlyInAnyOrder("a", "b"));
        } else {
            assertThat(result.doneOrThrow()).containsExactlyInAnyOrder("k", "l");
        }
    }

    @Test
    void manyMissesAreAddedToTheOwnZoneIfEnabled() {
        over(a).multiSet(Map.of("k", "v", "l", "w"), HOUR);
        over(b).set("l", "own", HOUR);

        assertThat(client(OPTIONS.addingOnMiss()).multiGet(List.of("k", "l", "m")))
                .satisfies(result -> assertThat(result.hits()).isEqualTo(Map.of("k", "v", "l", "own")))
                .satisfies(result -> assertThat(result.misses()).containsExactly("m"));

        assertThat(values("k")).containsExactly("v", "v", "null");
    }

    @Test
    void readsTouchAllZonesAndReadCasUniquesOfOne() {
        client(OPTIONS).multiSet(Map.of("k", "v", "l", "w"), HOUR);
        a.sent();
        c.sent();

        assertThat(client(OPTIONS).getAndTouch("k", Duration.ofMinutes(1))).isEqualTo("v");
        assertThat(a.sent()).containsExactly("mg k T60");
        assertThat(c.sent()).containsExactly("mg k T60");
        assertThat(client(OPTIONS)
                        .multiGetAndTouch(List.of("k", "l"), Duration.ofMinutes(1))
                        .hits())
                .hasSize(2);
        assertThat(a.sent()).containsExactlyInAnyOrder("mg k T60", "mg l T60");

        assertThat(client(OPTIONS.withOwner("c")).multiGets(List.of("k", "l")).hits())
                .hasSize(2);
        assertThat(a.sent()).isEmpty();
    }

    // Settings.

    @Test
    void listenerIsNotifiedOfEachZone() {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(Acknowledgement.ONE));
        over(b).multiSet(Map.of("k", "v", "l", "w"), HOUR);

        client.get("missing");
        client.multiGet(List.of("k", "l", "m"));
        a.down(true);
        c.hang("ms k");
        client.set("k", "v", HOUR);
        assertThat(outcomes)
                .containsExactly(
                        new ZoneOutcome("get", 1, Map.of("b", 0), Map.of(), Set.of()),
                        new ZoneOutcome("multiGet", 3, Map.of("b", 2), Map.of(), Set.of()),
                        new ZoneOutcome("set", 1, Map.of("b", 1), Map.of(), Set.of("a", "c")));
        assertThat(later).containsExactlyInAnyOrder("a set", "c set");

        b.down(true);
        client.get("k");
        assertThat(last().failures()).containsOnlyKeys("b", "a");
        assertThat(last().served()).isEqualTo(Map.of("c", 0));
    }

    @Test
    void listenerThatFailsFailsNoCommand() {
        MemcachedClient<String> client = over(new Replicas(Map.of("a", a, "b", b), OPTIONS, new ConnectionListener() {
            @Override
            public void zonesEnded(ZoneOutcome outcome) {
                throw new IllegalStateException("of the listener");
            }
        }));

        client.set("k", "v", HOUR);

        assertThat(client.get("k")).isEqualTo("v");
    }
}
