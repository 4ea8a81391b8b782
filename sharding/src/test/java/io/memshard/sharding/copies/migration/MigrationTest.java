// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.asyncOver;
import static io.memshard.sharding.copies.FakeFleet.over;
import static io.memshard.sharding.copies.FakeFleet.ttl;
import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.sharding.copies.CopyMoment;
import io.memshard.sharding.copies.FakeCluster;
import io.memshard.sharding.copies.FakeFleet;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MigrationTest {

    private final FakeFleet source = new FakeFleet("source");
    private final FakeFleet target = new FakeFleet("target");
    private final Migration migration = new Migration(source, target, MigrationOptions.DEFAULT);
    private final MemcachedClient<String> client = over(migration);
    private final MemcachedClient<String> sourceClient = over(source);
    private final MemcachedClient<String> targetClient = over(target);
    private final AsyncMemcachedClient<String> async = asyncOver(migration);

    private static long ttlSeconds(MemcachedClient<String> client, String key) {
        return ttl(client, key).orElseThrow().toSeconds();
    }

    // Reads.

    @Test
    void readIsServedByTheNewFleetAlone() {
        sourceClient.set("k", "old", HOUR);
        targetClient.set("k", "new", HOUR);
        source.sent();

        assertThat(client.get("k")).isEqualTo("new");
        assertThat(async.get("k").join()).isEqualTo("new");

        assertThat(source.sent()).isEmpty();
        assertThat(migration.stats()).isEqualTo(new MigrationStats(2, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void missIsServedByTheSourceFleetAndCopiedWithItsTimeToLive(boolean blocking) {
        sourceClient.set("k", "v", HOUR);

        assertThat(blocking ? client.get("k") : async.get("k").join()).isEqualTo("v");
        assertThat(targetClient.get("k")).isEqualTo("v");
        assertThat(ttlSeconds(targetClient, "k")).isEqualTo(HOUR.toSeconds());

        assertThat(client.get("k")).isEqualTo("v");
        assertThat(client.get("missing")).isNull();
        assertThat(async.get("missing").join()).isNull();
        assertThat(migration.stats()).isEqualTo(new MigrationStats(1, 1, 2, 1, 0, 0));
        assertThat(migration.stats().sourceShare()).isEqualTo(0.5);
        assertThat(migration.copiesUnderWay()).isZero();
    }

    @Test
    void readThatANewServerFailsIsServedByTheSourceFleet() {
        sourceClient.set("k", "v", HOUR);
        target.down(true);

        assertThat(client.get("k")).isEqualTo("v");
        assertThat(async.get("k").join()).isEqualTo("v");
        assertThatThrownBy(() -> client.get("missing"))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("on target");

        target.down(false);
        assertThat(targetClient.get("k")).isNull();
    }

    @Test
    void readFailsIfTheNewFleetMissesAndTheOldOneFails() {
        source.down(true);

        assertThatThrownBy(() -> client.get("k"))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("on source");
        assertThat(async.get("k")).isCompletedExceptionally();
        assertThat(migration.stats().failed()).isEqualTo(2);
    }

    @Test
    void noMoreItemsAreCopiedAtATimeThanTheOptionsSay() {
        Migration none = new Migration(source, target, MigrationOptions.DEFAULT.withMaxCopies(0));
        sourceClient.set("k", "v", HOUR);

        assertThat(over(none).get("k")).isEqualTo("v");

        assertThat(targetClient.get("k")).isNull();
        assertThat(none.stats().copied()).isZero();
    }

    @Test
    void touchGetsAndGetAndTouchFindItemsOfTheSourceFleet() {
        for (String key : List.of("a", "b", "c")) {
            sourceClient.set(key, "v", HOUR);
        }

        assertThat(client.touch("a", Duration.ofMinutes(1))).isTrue();
        assertThat(client.getAndTouch("b", Duration.ofMinutes(1))).isEqualTo("v");
        CasValue<String> read = Objects.requireNonNull(client.gets("c"));

        assertThat(ttlSeconds(targetClient, "a")).isLessThanOrEqualTo(60);
        assertThat(ttlSeconds(targetClient, "b")).isLessThanOrEqualTo(60);
        assertThat(ttlSeconds(sourceClient, "b")).isGreaterThan(60);
        assertThat(client.cas("c", "w", read.casUnique(), HOUR)).isEqualTo(WriteStatus.DONE);
        assertThat(targetClient.get("c")).isEqualTo("w");
        assertThat(sourceClient.get("c")).isNull();
        assertThat(client.touch("missing", HOUR)).isFalse();
        assertThat(client.gets("missing")).isNull();
    }

    // Writes.

    @Test
    void storeIsForgottenByTheSourceFleetBeforeTheTargetHasIt() {
        sourceClient.set("k", "old", HOUR);
        target.before("ms k", () -> assertThat(sourceClient.get("k")).isNull());

        client.set("k", "new", HOUR);

        assertThat(targetClient.get("k")).isEqualTo("new");
        targetClient.delete("k");
        assertThat(client.get("k")).as("after the target fleet has lost it").isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "lost", "hangs"})
    void writeThatTheSourceFleetDoesNotForgetFailsAndIsInTheTarget(String how) {
        sourceClient.set("k", "old", HOUR);
        fail(how, source, "md k");
        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client.set("k", "new", HOUR))
                .satisfies(failure -> assertThat(failure.done()).containsExactly("target"))
                .satisfies(failure -> assertThat(failure.failures()).containsOnlyKeys("source"))
                .withMessageStartingWith("the write is done in the target fleet, but the delete in the source fleet");
        assertThat(targetClient.get("k")).isEqualTo("new");

        fail(how, source, "md k");
        assertThatExceptionOfType(MemcachedReplicationException.class).isThrownBy(() -> client.delete("k"));
        assertThat(targetClient.get("k")).isNull();
    }

    private static void fail(String how, FakeFleet fleet, String start) {
        fleet.heal();
        switch (how) {
            case "refused" -> fleet.refuse(start);
            case "lost" -> fleet.loseReply(start);
            default -> fleet.hang(start);
        }
    }

    @Test
    void failureOfTheNewFleetIsThrownAsItIsAfterTheValueWasDeleted() {
        sourceClient.set("k", "old", HOUR);
        target.refuse("ms k");
        assertThatExceptionOfType(MemcachedConnectionException.class)
                .isThrownBy(() -> client.set("k", "v", HOUR))
                .satisfies(failure -> assertThat(failure.isSafeToRetry()).isTrue());
        assertThat(sourceClient.get("k")).isNull();

        target.loseReply("md k");
        assertThatThrownBy(() -> client.delete("k")).isInstanceOf(MemcachedTimeoutException.class);
    }

    @Test
    void changeIsNotDoneIfTheSourceFleetDoesNotForget() {
        sourceClient.set("k", "v", HOUR);
        source.refuse("md k");

        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client.append("k", "w"))
                .satisfies(failure -> assertThat(failure.done()).isEmpty())
                .withMessageStartingWith("the write was not executed, because the delete in the source fleet");

        assertThat(client.get("k")).isEqualTo("v");
    }

    @Test
    void conditionalCommandsSeeTheItemOfTheSourceFleet() {
        sourceClient.set("k", "v", HOUR);
        assertThat(client.add("k", "other", HOUR)).isFalse();
        assertThat(client.get("k")).isEqualTo("v");

        sourceClient.set("l", "v", HOUR);
        assertThat(client.append("l", "w")).isTrue();
        assertThat(client.get("l")).isEqualTo("vw");

        sourceClient.set("m", "v", HOUR);
        assertThat(client.replace("m", "w", HOUR)).isTrue();

        sourceClient.set("n", "41", HOUR);
        assertThat(client.incr("n", 1)).isEqualTo(OptionalLong.of(42));
        sourceClient.set("o", "41", HOUR);
        assertThat(client.incr("o", 1, 0, HOUR)).isEqualTo(42);

        assertThat(client.add("p", "v", HOUR)).isTrue();
        assertThat(client.replace("q", "v", HOUR)).isFalse();
        assertThat(sourceClient.multiGet(List.of("l", "m", "n", "o", "p")).hits())
                .isEmpty();
    }

    @Test
    void countsOfTwoClientsDuringTheCopyAreAllCounted() {
        sourceClient.set("n", "5", HOUR);
        target.before("ms n", () -> async.incr("n", 1));

        assertThat(client.incr("n", 1).getAsLong()).isBetween(6L, 7L);

        eventually("both are counted", () -> "7".equals(targetClient.get("n")));
    }

    @Test
    void invalidatedItemOfTheSourceFleetIsServedStaleUntilItIsLoaded() {
        sourceClient.set("k", "v", HOUR);

        assertThat(client.invalidate("k", HOUR)).isTrue();

        assertThat(client.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(client.get("k")).isEqualTo("loaded");
        assertThat(sourceClient.get("k")).isNull();
    }

    // Loads.

    @Test
    void loadReturnsTheValueOfTheSourceFleet() {
        sourceClient.set("k", "v", HOUR);

        assertThat(client.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("v");
        assertThat(client.getOrLoad("l", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(async.getOrLoad("l", HOUR, key -> CompletableFuture.completedFuture("again"))
                        .join())
                .isEqualTo("loaded");

        assertThat(targetClient.get("k")).isEqualTo("v");
        assertThat(migration.stats().copied()).isEqualTo(1);
    }

    @Test
    void loadRunsIfTheSourceFleetFails() {
        sourceClient.set("k", "v", HOUR);
        source.refuse("mg k v");

        assertThat(client.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loadIsKeptWithoutTheSourceFleetUnlessItsClaimWasRenewed(boolean isRenewed) {
        LoadOptions brief = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(1));
        GetRequest cas = GetRequest.of("k").returning(ItemField.CAS);
        source.down(true);

        String loaded = client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS)
                .getOrLoad(
                        "k",
                        HOUR,
                        key -> {
                            if (isRenewed) {
                                long first = targetClient.meta().get(cas).casUnique();
                                eventually(
                                        "a renewal",
                                        () -> targetClient.meta().get(cas).casUnique() != first);
                            }
                            return "loaded";
                        },
                        brief);

        assertThat(loaded).isEqualTo("loaded");
        assertThat(targetClient.get("k")).isEqualTo(isRenewed ? null : "loaded");
    }

    @Test
    void loadTakesTheValueOfTheSourceFleetIfTheTargetFails() {
        sourceClient.set("k", "v", HOUR);
        target.down(true);

        assertThat(client.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("v");
    }

    // Copies and other callers.

    @ParameterizedTest
    @EnumSource
    void copyNeverReplacesANewerItem(CopyMoment moment) {
        sourceClient.set("k", "v", HOUR);
        moment.at(source, target, () -> over(migration).set("k", "new", HOUR));

        client.get("k");

        assertThat(client.get("k")).isEqualTo("new");
        assertThat(sourceClient.get("k")).isNull();
    }

    // Many keys.

    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "key" + i).toList();
    }

    @Test
    void manyKeysComeFromBothFleetsWhoseRingsDiffer() {
        FakeCluster two = new FakeCluster(List.of(new FakeFleet("o1"), new FakeFleet("o2")));
        FakeCluster three = new FakeCluster(List.of(new FakeFleet("n1"), new FakeFleet("n2"), new FakeFleet("n3")));
        Migration many = new Migration(two, three, MigrationOptions.DEFAULT.withMaxCopies(1000));
        MemcachedClient<String> moving = over(many);
        Map<String, String> values = keys(0, 250).stream().collect(Collectors.toMap(key -> key, key -> "of " + key));
        over(two).multiSet(values, HOUR);

        assertThat(moving.multiSet(Map.of("key0", "new 0", "key1", "new 1"), HOUR)
                        .doneOrThrow())
                .hasSize(2);
        MultiGetResult<String> got = moving.multiGet(keys(0, 251));
        assertThat(got.hits()).hasSize(250).containsEntry("key0", "new 0").containsEntry("key9", "of key9");
        assertThat(got.misses()).containsExactly("key250");
        assertThat(many.stats()).isEqualTo(new MigrationStats(2, 248, 1, 248, 0, 0));
        assertThat(over(three).multiGet(keys(0, 250)).hits()).hasSize(250);

        assertThat(moving.multiDelete(keys(0, 251)).doneOrThrow()).hasSize(250);
        assertThat(over(two).multiGet(keys(0, 250)).hits()).isEmpty();
        assertThat(over(three).multiGet(keys(0, 250)).hits()).isEmpty();
    }

    @Test
    void manyKeysFailOneByOne() {
        FakeCluster two = new FakeCluster(List.of(new FakeFleet("o1"), new FakeFleet("o2")));
        MemcachedClient<String> moving = over(new Migration(two, target, MigrationOptions.DEFAULT));
        two.servers().get(1).down(true);

        MultiGetResult<String> got = moving.multiGet(keys(0, 20));
        assertThat(got.failures().keySet())
                .isNotEmpty()
                .allMatch(key -> two.of(key) == two.servers().get(1));
        assertThat(got.misses()).hasSize(20 - got.failures().size());

        var set = moving.multiSet(keys(0, 20).stream().collect(Collectors.toMap(key -> key, key -> "v")), HOUR);
        assertThat(set.failures()).containsOnlyKeys(got.failures().keySet());
        assertThat(set.failures().values()).hasOnlyElementsOfType(MemcachedReplicationException.class);
        assertThat(targetClient.multiGet(keys(0, 20)).hits()).hasSize(20);
    }

    @Test
    void multiGetsAndMultiGetAndTouchFindItemsOfTheSourceFleet() {
        sourceClient.multiSet(Map.of("a", "1", "b", "2"), HOUR);
        targetClient.set("c", "3", HOUR);

        Map<String, CasValue<String>> read =
                client.multiGets(List.of("a", "c", "missing")).hits();
        assertThat(read).containsOnlyKeys("a", "c");
        assertThat(client.cas("a", "w", Objects.requireNonNull(read.get("a")).casUnique(), HOUR))
                .isEqualTo(WriteStatus.DONE);

        assertThat(client.multiGetAndTouch(List.of("b", "missing"), Duration.ofMinutes(1))
                        .hits())
                .isEqualTo(Map.of("b", "2"));
        assertThat(ttlSeconds(targetClient, "b")).isLessThanOrEqualTo(60);
    }

    @Test
    void badSettingsAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Migration(source, source, MigrationOptions.DEFAULT))
                .withMessageContaining("are both");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigrationOptions.DEFAULT.withMaxCopies(-1))
                .withMessage("maxCopies is -1, but must be 0 to 100000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigrationOptions.DEFAULT.withTtlIfUnknown(Duration.ZERO))
                .withMessageStartingWith("ttlIfUnknown: ttl is PT0S");
    }
}
