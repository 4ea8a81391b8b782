// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.asyncOver;
import static io.memshard.sharding.copies.FakeFleet.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.copies.CopyMoment;
import io.memshard.sharding.copies.FakeFleet;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Instances at neighbouring stages, step by step, and one instance that goes from stage to stage. */
@Timeout(60)
class MigrationStageTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeFleet source = new FakeFleet("source");
    private final FakeFleet target = new FakeFleet("target");
    private final Migration migration = at(MigrationStage.MOVING);
    private final MemcachedClient<String> client = over(migration);
    private final AsyncMemcachedClient<String> async = asyncOver(migration);
    private final MemcachedClient<String> preparing = over(at(MigrationStage.PREPARING));
    private final MemcachedClient<String> moving = over(at(MigrationStage.MOVING));
    private final MemcachedClient<String> leaving = over(at(MigrationStage.LEAVING));
    private final MemcachedClient<String> ended = over(at(MigrationStage.ENDED));
    private final MemcachedClient<String> sourceClient = over(source);
    private final MemcachedClient<String> targetClient = over(target);

    private Migration at(MigrationStage stage) {
        return new Migration(source, target, MigrationOptions.DEFAULT.withStage(stage));
    }

    /** Writes of an item with the value 5. Those of many keys have one more, so that they are cut. */
    enum Write {
        SET("ms k", client -> client.set("k", "new", HOUR)),
        DELETE("md k", client -> client.delete("k")),
        MULTI_SET(
                "multiSet",
                client -> client.multiSet(Map.of("k", "new", "l", "new"), HOUR).doneOrThrow()),
        MULTI_DELETE(
                "multiDelete", client -> client.multiDelete(List.of("k", "l")).doneOrThrow()),
        REPLACE("ms k", client -> client.replace("k", "new", HOUR)),
        APPEND("ms k", client -> client.append("k", "new")),
        INCR("ma k", client -> client.incr("k", 1)),
        CAS(
                "ms k",
                client -> client.cas(
                        "k", "new", Objects.requireNonNull(client.gets("k")).casUnique(), HOUR)),
        TOUCH("mg k T", client -> client.touch("k", MINUTE)),
        INVALIDATE("md k", client -> client.invalidate("k", HOUR));

        private final String command;
        private final Consumer<MemcachedClient<String>> by;

        Write(String command, Consumer<MemcachedClient<String>> by) {
            this.command = command;
            this.by = by;
        }
    }

    // PREPARING and MOVING.

    @ParameterizedTest
    @EnumSource(Write.class)
    void writeOfAnInstanceThatPreparesIsNotUndoneByACopyMadeBeforeIt(Write write) {
        sourceClient.set("k", "5", HOUR);
        source.before(write.command, () -> moving.get("k"));

        write.by.accept(preparing);

        assertThat(targetClient.get("k")).isNull();
        assertThat(moving.get("k")).isEqualTo(preparing.get("k"));
    }

    @ParameterizedTest
    @EnumSource(Write.class)
    void writeWhilePreparingIsNotUndoneByACopyBetweenItsSteps(Write write) {
        sourceClient.set("k", "5", HOUR);
        source.after(write.command, () -> moving.get("k"));

        write.by.accept(preparing);

        assertThat(moving.get("k")).isEqualTo(preparing.get("k"));
    }

    @ParameterizedTest
    @EnumSource
    void copyNeverOutlivesAWriteOfAnInstanceThatPrepares(CopyMoment moment) {
        for (Write write : Write.values()) {
            preparing.delete("k");
            sourceClient.set("k", "5", HOUR);
            moment.at(source, target, () -> write.by.accept(preparing));

            moving.get("k");

            assertThat(moving.get("k")).as(write.name()).isEqualTo(preparing.get("k"));
        }
    }

    @ParameterizedTest
    @EnumSource(Write.class)
    void unansweredWriteWhilePreparingIsForgottenByTheNewFleet(Write write) {
        sourceClient.set("k", "5", HOUR);
        moving.get("k");
        assertThat(targetClient.get("k")).isEqualTo("5");
        source.loseReply(write.command);

        assertThatThrownBy(() -> write.by.accept(preparing)).isInstanceOf(MemcachedTimeoutException.class);

        assertThat(targetClient.get("k")).isNull();
        assertThat(moving.get("k")).isEqualTo(preparing.get("k"));
    }

    /** Nobody can know when it comes. So its caller repeats it, or deletes the key. */
    @Test
    void lateWriteOfAnInstanceThatPreparesIsRightAgainAfterTheNextOne() {
        sourceClient.set("k", "0", HOUR);
        source.delay("ms k");
        assertThatThrownBy(() -> preparing.set("k", "1", HOUR)).isInstanceOf(MemcachedTimeoutException.class);
        assertThat(moving.get("k")).isEqualTo("0");

        source.release();
        assertThat(preparing.get("k")).isEqualTo("1");
        assertThat(moving.get("k")).isEqualTo("0");
        preparing.delete("k");
        assertThat(moving.get("k")).isNull();
    }

    @Test
    void newFleetKeepsItsItemIfTheOldOneHasChangedNothing() {
        moving.set("k", "moved", HOUR);

        source.refuse("ms k");
        assertThatThrownBy(() -> preparing.set("k", "v", HOUR)).isInstanceOf(MemcachedConnectionException.class);
        source.refuse("multiSet");
        assertThat(preparing.multiSet(Map.of("k", "v", "l", "v"), HOUR).failures())
                .hasSize(2);
        assertThat(preparing.replace("k", "v", HOUR)).isFalse();
        assertThat(preparing.append("k", "v")).isFalse();
        assertThat(preparing.incr("k", 1)).isEmpty();
        assertThat(preparing.touch("k", MINUTE)).isFalse();
        assertThat(preparing.cas("k", "v", 17, HOUR)).isEqualTo(WriteStatus.NOT_FOUND);

        assertThat(moving.get("k")).isEqualTo("moved");
    }

    @Test
    void writeThatTheNewFleetDoesNotForgetFailsAndIsDoneInTheOldOne() {
        target.down(true);

        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> preparing.set("k", "v", HOUR))
                .satisfies(failure -> assertThat(failure.done()).containsExactly("source"))
                .satisfies(failure -> assertThat(failure.failures()).containsOnlyKeys("target"))
                .withMessageStartingWith("the write is done in the source fleet, but the delete in the target fleet");
        assertThat(preparing.multiSet(Map.of("l", "1", "m", "2"), HOUR).failures())
                .hasSize(2)
                .allSatisfy((key, failure) -> assertThat(failure).isInstanceOf(MemcachedReplicationException.class));
        assertThatExceptionOfType(MemcachedReplicationException.class).isThrownBy(() -> preparing.append("k", "w"));

        assertThat(preparing.get("k")).isEqualTo("vw");
        assertThat(preparing.multiGet(List.of("l", "m")).hits()).hasSize(2);
    }

    @Test
    void deleteWhilePreparingIsOfAnItemThatEitherFleetHas() {
        sourceClient.set("k", "v", HOUR);
        targetClient.set("l", "v", HOUR);

        assertThat(preparing.delete("k")).isTrue();
        assertThat(preparing.delete("l")).isTrue();
        assertThat(preparing.delete("l")).isFalse();
        targetClient.set("m", "v", HOUR);
        assertThat(preparing.multiDelete(List.of("m", "n")).doneOrThrow()).containsExactly("m");
    }

    /** The one of the instance that prepares comes between the two steps of the other one. */
    @Test
    void simultaneousWritesMayLeaveTwoValuesUntilTheNextWrite() {
        target.before("ms k", () -> preparing.set("k", "prepared", HOUR));
        moving.set("k", "moved", HOUR);

        assertThat(preparing.get("k")).isEqualTo("prepared");
        assertThat(moving.get("k")).isEqualTo("moved");

        moving.set("k", "next", HOUR);
        assertThat(preparing.get("k")).isNull();
        assertThat(moving.get("k")).isEqualTo("next");
    }

    @Test
    void newFleetWithoutMetaKeepsNoCopyOfAReplacedItem() {
        FakeFleet classic = new FakeFleet("classic", true);
        MigrationOptions options = MigrationOptions.DEFAULT;
        MemcachedClient<String> first =
                over(new Migration(source, classic, options.withStage(MigrationStage.PREPARING)));
        MemcachedClient<String> second = over(new Migration(source, classic, options));
        sourceClient.set("k", "5", HOUR);
        classic.before("ms k", () -> first.set("k", "new", HOUR));

        second.get("k");

        assertThat(second.get("k")).isEqualTo("new");
    }

    @Test
    void instanceThatPreparesReadsTheSourceFleetAlone() {
        targetClient.set("k", "new", HOUR);
        sourceClient.set("k", "old", HOUR);
        target.sent();

        assertThat(preparing.get("k")).isEqualTo("old");
        assertThat(preparing.gets("k")).isNotNull();
        assertThat(preparing.getAndTouch("k", HOUR)).isEqualTo("old");
        assertThat(preparing.multiGet(List.of("k", "l")).hits()).isEqualTo(Map.of("k", "old"));
        assertThat(preparing.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("old");
        assertThat(target.sent()).isEmpty();

        assertThat(preparing.getOrLoad("l", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(moving.get("l")).isEqualTo("loaded");
    }

    // MOVING and LEAVING.

    @ParameterizedTest
    @EnumSource(Write.class)
    void writeOfAnInstanceThatLeavesIsNotUndoneByACopy(Write write) {
        sourceClient.set("k", "5", HOUR);
        moving.get("k");
        assertThat(targetClient.get("k")).isEqualTo("5");

        write.by.accept(leaving);

        assertThat(sourceClient.get("k")).isNull();
        assertThat(moving.get("k")).isEqualTo(leaving.get("k"));
    }

    @ParameterizedTest
    @EnumSource
    void copyNeverOutlivesADeleteOfAnInstanceThatLeaves(CopyMoment moment) {
        sourceClient.set("k", "5", HOUR);
        moment.at(source, target, () -> leaving.delete("k"));

        moving.get("k");

        assertThat(moving.get("k")).isNull();
    }

    @Test
    void instanceThatLeavesTakesNothingOver() {
        sourceClient.multiSet(Map.of("k", "old", "l", "old", "m", "old"), HOUR);

        assertThat(leaving.get("k")).isNull();
        assertThat(leaving.gets("k")).isNull();
        assertThat(leaving.getAndTouch("k", HOUR)).isNull();
        assertThat(leaving.multiGet(List.of("k", "l")).hits()).isEmpty();
        assertThat(leaving.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(leaving.append("l", "new")).isFalse();
        assertThat(leaving.add("m", "added", HOUR)).isTrue();

        assertThat(sourceClient.multiGet(List.of("k", "l", "m")).hits()).isEmpty();
        assertThat(targetClient.multiGet(List.of("k", "l", "m")).hits()).isEqualTo(Map.of("k", "loaded", "m", "added"));
    }

    // LEAVING and ENDED.

    @Test
    void deleteOfAnInstanceThatHasEndedIsNotUndoneByOneThatLeaves() {
        sourceClient.set("k", "v", HOUR);
        moving.get("k");

        assertThat(ended.delete("k")).isTrue();

        assertThat(leaving.get("k")).isNull();
        assertThat(leaving.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(ended.get("k")).isEqualTo("loaded");
    }

    /** Why all instances go to LEAVING first, and why there is no way back before the source fleet was emptied. */
    @Test
    void deleteAfterTheEndIsUndoneUnlessTheSourceFleetWasEmptied() {
        sourceClient.set("k", "v", HOUR);
        moving.get("k");
        ended.delete("k");
        assertThat(moving.get("k")).isEqualTo("v");

        ended.delete("k");
        sourceClient.delete("k");
        assertThat(moving.get("k")).isNull();
    }

    /** Why the target fleet must have none of the keys when the move begins. */
    @Test
    void writeToTheSourceFleetAloneLeavesAnOldValueInTheTarget() {
        targetClient.set("k", "of an earlier move", HOUR);
        sourceClient.set("k", "v", HOUR);

        assertThat(preparing.get("k")).isEqualTo("v");
        assertThat(moving.get("k")).isEqualTo("of an earlier move");
    }

    @Test
    void moveThatHasEndedUsesTheNewFleetAlone() {
        sourceClient.set("k", "v", HOUR);
        source.sent();
        migration.moveTo(MigrationStage.ENDED);

        assertThat(client.get("k")).isNull();
        client.set("l", "v", HOUR);
        assertThat(client.multiGet(List.of("k", "l")).hits()).containsOnlyKeys("l");
        client.multiSet(Map.of("a", "1", "b", "2"), HOUR);
        client.multiDelete(List.of("a", "b"));
        assertThat(client.incr("n", 1, 1, HOUR)).isEqualTo(1);
        assertThat(async.get("l").join()).isEqualTo("v");

        assertThat(source.sent()).isEmpty();
        assertThat(migration.spread(SendMode.UNAWAITED)).containsExactly(target);
        assertThat(migration.byServer(List.of("k"), key -> key)).containsOnlyKeys(target);
        assertThat(migration.stage()).isEqualTo(MigrationStage.ENDED);
    }

    // One instance that goes on while its commands are under way.

    @ParameterizedTest
    @EnumSource(names = {"LEAVING", "ENDED"})
    void readUnderWayTakesNothingOverAfterTheEnd(MigrationStage next) {
        sourceClient.set("k", "v", HOUR);
        source.after("mg k v", () -> {
            migration.moveTo(next);
            ended.delete("k");
        });

        assertThat(client.get("k")).isEqualTo("v");

        assertThat(ended.get("k")).isNull();
    }

    /** The claim of a load has other flags, and is the first command that the target fleet gets. */
    @ParameterizedTest
    @EnumSource
    void copyUnderWayNeverOutlivesADeleteAfterTheEnd(CopyMoment moment) {
        for (boolean loads : new boolean[] {true, false}) {
            migration.moveTo(MigrationStage.MOVING);
            targetClient.delete("k");
            sourceClient.set("k", "v", HOUR);
            moment.at(loads ? "mg k" : "mg k N", source, target, () -> {
                migration.moveTo(MigrationStage.ENDED);
                ended.delete("k");
            });

            String got = loads ? client.getOrLoad("k", HOUR, key -> "loaded") : client.get("k");

            assertThat(got).isIn("v", "loaded");
            assertThat(migration.stage()).isEqualTo(MigrationStage.ENDED);
            assertThat(ended.get("k")).isIn(null, "loaded");
        }
    }

    @Test
    void changeUnderWayAtTheEndTakesNothingOver() {
        sourceClient.set("k", "v", HOUR);
        target.after("mg k N", () -> migration.moveTo(MigrationStage.LEAVING));

        assertThat(client.append("k", "w")).isFalse();

        assertThat(client.get("k")).isNull();
    }

    @Test
    void wayBackFromLeavingToTheSourceFleetFindsNoOldValue() {
        sourceClient.multiSet(Map.of("k", "0", "l", "0", "m", "0"), HOUR);
        migration.moveTo(MigrationStage.LEAVING);
        client.set("k", "1", HOUR);
        migration.moveTo(MigrationStage.MOVING);
        assertThat(client.get("k")).isEqualTo("1");
        client.delete("l");
        migration.moveTo(MigrationStage.PREPARING);

        assertThat(client.get("k")).isNull();
        assertThat(client.get("l")).isNull();
        assertThat(client.get("m")).isEqualTo("0");
        client.set("k", "2", HOUR);
        migration.moveTo(MigrationStage.MOVING);
        assertThat(client.get("k")).isEqualTo("2");
    }

    // Times to live.

    @ParameterizedTest
    @EnumSource(names = {"PREPARING", "MOVING", "LEAVING"})
    void allCopiesGetTheShorterTimeToLive(MigrationStage stage) {
        sourceClient.set("k", "v", HOUR);
        moving.get("k");

        assertThat(over(at(stage)).touch("k", MINUTE)).isTrue();

        assertThat(List.of(sourceClient, targetClient).stream()
                        .filter(fleet -> fleet.get("k") != null)
                        .toList())
                .containsExactly(stage == MigrationStage.PREPARING ? sourceClient : targetClient);
    }

    @ParameterizedTest
    @EnumSource(MigrationStage.class)
    void stageIsInTheDescription(MigrationStage stage) {
        migration.moveTo(stage);

        assertThat(migration).hasToString(stage == MigrationStage.ENDED ? "target" : "source to target, " + stage);
    }
}
