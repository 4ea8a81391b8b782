// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.zones;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedReplicationException;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a read after a write returns, with each acknowledgement: what is promised, and what is not. */
@Timeout(60)
class ZonePromisesTest extends ZonesFixture {

    // What deletes in a zone, where a miss asks other zones.

    /** Commands after which some zones have no item. */
    enum Removal {
        DELETE("md k", client -> client.delete("k")),
        INVALIDATE("md k", client -> client.invalidate("k", HOUR)),
        MULTI_DELETE(
                "multiDelete",
                client -> client.multiDelete(List.of("k", "l")).thenApply(MultiWriteResult::doneOrThrow)),
        APPEND("md k", client -> client.append("k", "1")),
        INCR("md k", client -> client.incr("k", 1)),
        CAS(
                "md k",
                client -> client.gets("k")
                        .thenCompose(read -> client.cas(
                                "k", "51", Objects.requireNonNull(read).casUnique(), HOUR)));

        private final String command;
        private final Function<AsyncMemcachedClient<String>, CompletableFuture<?>> by;

        Removal(String command, Function<AsyncMemcachedClient<String>, CompletableFuture<?>> by) {
            this.command = command;
            this.by = by;
        }
    }

    static Stream<Arguments> removals() {
        return Stream.of(OPTIONS.readingOthersOnMiss(), OPTIONS.addingOnMiss())
                .map(options -> options.withOwner("a"))
                .flatMap(options -> Stream.of(Removal.values()).map(removal -> Arguments.of(options, removal)));
    }

    @ParameterizedTest
    @MethodSource("removals")
    void readFindsNoOldValueWhereOtherZonesDeleteLate(ReplicaOptions options, Removal removal) {
        AsyncMemcachedClient<String> client = async(options);
        client.set("k", "5", HOUR).join();
        client.set("l", "5", HOUR).join();
        c.holdBack(removal.command);

        CompletableFuture<?> removed = removal.by.apply(client);
        assertThat(removed).isNotDone();
        c.release();
        removed.join();

        // The zone that decides may have lost the item since.
        over(a).delete("k");
        if (removal != Removal.INVALIDATE) {
            assertThat(client(options).get("k")).isNull();
            assertThat(client(options).multiGet(List.of("k", "m")).hits()).isEmpty();
        }
        assertThat(over(c).get("k")).isEqualTo(removal == Removal.INVALIDATE ? "5" : null);
    }

    @ParameterizedTest
    @MethodSource("removals")
    void deletingCommandFailsWhileAZoneIsDown(ReplicaOptions options, Removal removal) {
        AsyncMemcachedClient<String> client = async(options);
        client.set("k", "5", HOUR).join();
        client.set("l", "5", HOUR).join();
        c.down(true);

        assertThat(removal.by.apply(client))
                .failsWithin(HOUR)
                .withThrowableOfType(ExecutionException.class)
                .havingRootCause()
                .withMessageContaining("refused");
        assertThatExceptionOfType(MemcachedReplicationException.class)
                .isThrownBy(() -> client(options).delete("k"))
                .satisfies(failure -> assertThat(failure.done()).containsExactlyInAnyOrder("a", "b"))
                .withMessageContaining("acknowledgement=ALL needs 3 of 3 zones; c: refused");

        c.down(false);
        client(options).delete("k");
        assertThat(client(options).get("k")).isNull();
        assertThat(over(c).get("k")).isNull();
    }

    /** A set that is late in another zone would answer for a later delete. */
    @ParameterizedTest
    @EnumSource(names = {"ONE", "MAJORITY"})
    void readingOthersOnMissNeedsAcknowledgementOfAll(Acknowledgement acknowledgement) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withAcknowledgement(acknowledgement).readingOthersOnMiss())
                .withMessageContaining("acknowledgement is " + acknowledgement)
                .withMessageContaining("use acknowledgement ALL, or remove readsOthersOnMiss");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.addingOnMiss().withAcknowledgement(acknowledgement));
    }

    @Test
    void readAfterADeleteFindsNoEarlierSetThatIsLate() {
        ReplicaOptions options = OPTIONS.addingOnMiss();
        AsyncMemcachedClient<String> client = async(options);
        c.holdBack("ms k 1");

        CompletableFuture<?> set = client.set("k", "5", HOUR);
        assertThat(set).isNotDone();
        c.release();
        set.join();
        client.delete("k").join();

        assertThat(client.get("k").join()).isNull();
        assertThat(over(c).get("k")).isNull();
    }

    /** {@code gets} and {@code getOrLoad} query the zone that decides. */
    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void deleteWaitsForTheZoneThatDecides(Acknowledgement acknowledgement) {
        AsyncMemcachedClient<String> client =
                async(OPTIONS.withAcknowledgement(acknowledgement).withOwner("a"));
        client.set("k", "v", HOUR).join();
        a.holdBack("md k");

        CompletableFuture<Boolean> deleted = client.delete("k");

        assertThat(deleted).isNotDone();
        a.release();
        assertThat(deleted.join()).isTrue();
        assertThat(client.gets("k").join()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void deleteNeedsNoMoreZonesWhereAMissIsAMiss(Acknowledgement acknowledgement) {
        ReplicaOptions options = OPTIONS.withAcknowledgement(acknowledgement);
        AsyncMemcachedClient<String> client = async(options);
        client.set("k", "v", HOUR).join();
        c.holdBack("md k");

        CompletableFuture<Boolean> deleted = client.delete("k");

        assertThat(deleted.isDone()).isEqualTo(acknowledgement != Acknowledgement.ALL);
        assertThat(client.get("k").join()).isNull();
        c.release();
        assertThat(deleted.join()).isTrue();
    }

    // What is not promised.

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void zonesMayGetTwoStoresOfTheSameMomentInDifferentOrders(Acknowledgement acknowledgement) {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(acknowledgement));
        c.before("ms k 5", () -> client.set("k", "second", HOUR));

        client.set("k", "first", HOUR);

        assertThat(over(b).get("k")).isEqualTo("second");
        assertThat(over(c).get("k")).isEqualTo("first");
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE", "MAJORITY"})
    void zoneMayGetTwoStoresInTheOtherOrder(Acknowledgement acknowledgement) {
        AsyncMemcachedClient<String> client = async(OPTIONS.withAcknowledgement(acknowledgement));
        // The line has the length of the value.
        c.holdBack("ms k 5");

        client.set("k", "first", HOUR).join();
        client.set("k", "second", HOUR).join();
        c.release();

        assertThat(client.get("k").join()).isEqualTo("second");
        assertThat(over(c).get("k")).isEqualTo("first");
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE", "MAJORITY"})
    void zoneThatWasDownKeepsItsOldItems(Acknowledgement acknowledgement) {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(acknowledgement));
        client.set("k", "old", HOUR);
        client.set("l", "old", HOUR);
        a.down(true);
        client.set("k", "new", HOUR);
        client.delete("l");
        a.down(false);

        assertThat(over(a).get("k")).isEqualTo("old");
        assertThat(over(a).get("l")).isEqualTo("old");
        b.down(true);
        assertThat(client.get("k")).as("when the own zone fails").isEqualTo("old");
        assertThat(client.get("l")).as("when the own zone fails").isEqualTo("old");
    }

    @Test
    void ownZoneThatWasDownServesItsOldItems() {
        MemcachedClient<String> client = client(OPTIONS.withAcknowledgement(Acknowledgement.MAJORITY));
        client.set("k", "old", HOUR);
        b.down(true);
        client.set("k", "new", HOUR);
        b.down(false);

        assertThat(client.get("k")).isEqualTo("old");
    }
}
