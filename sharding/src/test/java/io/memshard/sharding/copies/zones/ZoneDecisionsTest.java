// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.WriteStatus;
import io.memshard.sharding.copies.CopyMoment;
import io.memshard.sharding.copies.FakeFleet;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that one zone decides, and loads: the others follow, or lose the item. */
@Timeout(60)
class ZoneDecisionsTest extends ZonesFixture {

    @Test
    void addIsDecidedByTheOwnZoneAndRepeatedInTheOthers() {
        over(a).set("k", "of a", HOUR);

        assertThat(client(OPTIONS).add("k", "v", HOUR)).isTrue();
        assertThat(client(OPTIONS).add("k", "w", HOUR)).isFalse();

        assertThat(values("k")).containsExactly("of a", "v", "v");
    }

    @Test
    void ownerDecidesForAllZones() {
        ReplicaOptions options = OPTIONS.withOwner("c");
        over(c).set("k", "of c", HOUR);

        assertThat(client(options).add("k", "v", HOUR)).isFalse();
        assertThat(client(options).replace("k", "w", HOUR)).isTrue();

        assertThat(values("k")).containsExactly("null", "null", "w");
    }

    @Test
    void casGoesToTheZoneThatGetsWasReadFrom() {
        ReplicaOptions options = OPTIONS.withOwner("c");
        client(options).set("k", "v", HOUR);
        over(c).set("k", "v2", HOUR);
        CasValue<String> read = Objects.requireNonNull(client(options).gets("k"));
        assertThat(read.value()).isEqualTo("v2");

        assertThat(client(options).cas("k", "w", read.casUnique() + 1, HOUR)).isEqualTo(WriteStatus.EXISTS);
        assertThat(values("k")).containsExactly("v", "v", "v2");

        assertThat(client(options).cas("k", "w", read.casUnique(), HOUR)).isEqualTo(WriteStatus.DONE);
        assertThat(values("k")).containsExactly("null", "null", "w");
    }

    @Test
    void getsQueriesNoOtherZone() {
        client(OPTIONS).set("k", "v", HOUR);
        b.down(true);

        assertThatThrownBy(() -> client(OPTIONS).gets("k")).isInstanceOf(MemcachedConnectionException.class);
    }

    @Test
    void casWithoutAReplyDeletesTheCopiesOfOtherZones() {
        client(OPTIONS).set("k", "v", HOUR);
        CasValue<String> read = Objects.requireNonNull(client(OPTIONS).gets("k"));
        b.loseReply("ms k");

        assertThatThrownBy(() -> client(OPTIONS).cas("k", "w", read.casUnique(), HOUR))
                .isInstanceOf(MemcachedTimeoutException.class);

        assertThat(values("k")).containsExactly("null", "w", "null");
    }

    @Test
    void countersNeedAnOwner() {
        assertThatThrownBy(() -> client(OPTIONS).incr("n", 1))
                .isInstanceOf(MemcachedUnsupportedException.class)
                .hasMessageContaining("withOwner");
        assertThat(async(OPTIONS).incr("n", 1)).isCompletedExceptionally();

        MemcachedClient<String> client = client(OPTIONS.withOwner("a"));
        assertThat(client.incr("n", 1, 5, HOUR)).isEqualTo(5);
        assertThat(client.incr("n", 2)).isEqualTo(OptionalLong.of(7));
        assertThat(client.decr("n", 1)).isEqualTo(OptionalLong.of(6));
        assertThat(client.incr("n", 0)).isEqualTo(OptionalLong.of(6));
        assertThat(values("n")).containsExactly("6", "null", "null");
        assertThat(client.incr("missing", 1)).isEmpty();
    }

    @Test
    void decisionThatTooFewZonesFollowFails() {
        client(OPTIONS).set("k", "v", HOUR);
        c.down(true);

        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client(OPTIONS).append("k", "w"))
                .satisfies(failure -> assertThat(failure.done()).containsExactlyInAnyOrder("b", "a"));
        assertThat(client(OPTIONS.withAcknowledgement(Acknowledgement.ONE)).append("k", "x"))
                .isTrue();
        assertThat(over(b).get("k")).isEqualTo("vwx");
    }

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void decisionOfTheOwnerWaitsForTheOwnZoneHoweverLateItFollows(Acknowledgement acknowledgement) {
        AsyncMemcachedClient<String> client = async(OPTIONS.withOwner("a").withAcknowledgement(acknowledgement));
        client.set("k", "v", HOUR).join();
        b.holdBack("md k");
        b.holdBack("ms l");

        CompletableFuture<Boolean> appended = client.append("k", "w");
        CompletableFuture<Boolean> added = client.add("l", "w", HOUR);
        assertThat(appended).isNotDone();
        assertThat(added).isNotDone();

        b.release();
        assertThat(appended).isCompletedWithValue(true);
        assertThat(added).isCompletedWithValue(true);
        assertThat(values("k")).containsExactly("vw", "null", "null");
        assertThat(client.get("l").join()).isEqualTo("w");
    }

    // Loads.

    @Test
    void loadIsDecidedByOneZoneAndKeptThere() {
        ReplicaOptions options = OPTIONS.withOwner("a");

        assertThat(client(options).getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
        assertThat(async(options)
                        .getOrLoad("k", HOUR, key -> CompletableFuture.completedFuture("again"))
                        .join())
                .isEqualTo("loaded");

        assertThat(values("k")).containsExactly("loaded", "null", "null");
    }

    @Test
    void valueThatWasDeletedWhileItWasLoadedIsKeptNowhere() {
        MemcachedClient<String> client = client(OPTIONS);

        String loaded = client.getOrLoad("k", HOUR, key -> {
            client.delete("k");
            return "old";
        });

        assertThat(loaded).isEqualTo("old");
        assertThat(values("k")).containsExactly("null", "null", "null");
    }

    @Test
    void loadTakesAFreshValueOfAnotherZoneIfTheDecidingOneFails() {
        over(c).set("k", "v", HOUR);
        b.down(true);

        assertThat(client(OPTIONS).getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("v");
        over(c).invalidate("k", HOUR);
        for (String failing : List.of("k", "missing")) {
            assertThatThrownBy(() -> client(OPTIONS).getOrLoad(failing, HOUR, key -> "loaded"))
                    .isInstanceOf(MemcachedConnectionException.class);
        }
    }

    @Test
    void wonClaimIsFilledFromAnotherZoneIfEnabled() {
        over(c).set("k", "v", HOUR);

        assertThat(client(OPTIONS.addingOnMiss()).getOrLoad("k", HOUR, key -> "loaded"))
                .isEqualTo("v");

        assertThat(values("k")).containsExactly("null", "v", "v");
    }

    @Test
    void readWithoutAClaimQueriesOnlyTheDecidingZone() {
        c.down(true);

        assertThat(client(OPTIONS.addingOnMiss()).meta().get(GetRequest.of("k").recacheBelow(HOUR)))
                .isNull();

        assertThat(c.sent()).isEmpty();
    }

    @Test
    void wonClaimIsLoadedIfReadingAnotherZoneThrows() {
        FakeFleet throwing = new FakeFleet("c", true);
        throwing.before(
                "mg k v",
                () -> throwing.before("mg k", () -> {
                    throw new IllegalStateException();
                }));
        Replicas replicas = new Replicas(Map.of("b", b, "c", throwing), OPTIONS.addingOnMiss(), null);

        assertThat(over(replicas).getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");

        assertThat(throwing.sent()).containsExactly("mg k v f t", "mg k");
    }

    // Copies and deletes.

    /** A delete is under way to the own zone first; the other zone gets it when the copy has read. */
    @ParameterizedTest
    @EnumSource
    void copyIntoTheOwnZoneNeverOutlivesADelete(CopyMoment moment) {
        MemcachedClient<String> client = client(OPTIONS.addingOnMiss());
        over(c).set("k", "v", HOUR);
        over(b).delete("k");
        moment.at(c, b, () -> client.delete("k"));

        client.get("k");

        assertThat(values("k")).containsExactly("null", "null", "null");
    }

    @Test
    void deleteIsSentAgainAfterAllZonesHaveAnswered() {
        MemcachedClient<String> client = client(OPTIONS.addingOnMiss());
        over(c).set("k", "v", HOUR);
        // Own zone b gets the first half, then a whole copy from c runs, then c gets the other half.
        b.after("md k", () -> assertThat(client.get("k")).isEqualTo("v"));

        assertThat(client.delete("k")).isTrue();

        assertThat(values("k")).containsExactly("null", "null", "null");
    }
}
