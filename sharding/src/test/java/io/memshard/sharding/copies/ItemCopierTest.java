// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import static io.memshard.sharding.copies.FakeFleet.HOUR;
import static io.memshard.sharding.copies.FakeFleet.over;
import static io.memshard.sharding.copies.FakeFleet.ttl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaItem;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ItemCopierTest {

    private static final ItemKey KEY = new ItemKey("k", false);

    private final FakeFleet from = new FakeFleet("from");
    private final FakeFleet to = new FakeFleet("to");
    private final MemcachedClient<String> source = over(from);
    private final MemcachedClient<String> target = over(to);
    private final ItemCopier copier = new ItemCopier(FakeFleet.CLOCK, Duration.ofMinutes(5), () -> true, 1);

    private static Deadline deadline() {
        return Deadline.in(HOUR.toNanos());
    }

    private Result copy(FakeFleet source, FakeFleet target) {
        return copier.copy(KEY, source, target, deadline()).join();
    }

    @Test
    void copyHasValueFlagsAndRemainingTimeToLive() {
        source.set("k", "v", HOUR);

        assertThat(copy(from, to)).isEqualTo(Result.COPIED);

        assertThat(target.get("k")).isEqualTo("v");
        assertThat(ttl(target, "k")).contains(HOUR);
    }

    @Test
    void copyOfAnItemThatNeverExpiresNeverExpires() {
        source.set("k", "v", TimeToLive.NEVER);

        assertThat(copy(from, to)).isEqualTo(Result.COPIED);

        assertThat(ttl(target, "k")).isEmpty();
    }

    @Test
    void copyOfAnItemThatLivesForMoreThanThirtyDaysDoesToo() {
        source.set("k", "v", Duration.ofDays(90));

        assertThat(copy(from, to)).isEqualTo(Result.COPIED);

        // The client adds the time to live to the system's time, and the server's stands still.
        assertThat(ttl(target, "k").orElseThrow()).isCloseTo(Duration.ofDays(90), Duration.ofDays(1));
    }

    @Test
    void missingItemLeavesNoClaim() {
        assertThat(copy(from, to)).isEqualTo(Result.ABSENT);

        assertThat(target.add("k", "v", HOUR)).isTrue();
    }

    @Test
    void staleItemIsNotCopied() {
        source.set("k", "v", HOUR);
        source.invalidate("k", HOUR);

        assertThat(copy(from, to)).isEqualTo(Result.ABSENT);

        assertThat(target.get("k")).isNull();
    }

    @Test
    void claimOnAStaleItemOfTheTargetIsReleased() {
        source.set("k", "v", HOUR);
        target.set("k", "stale", HOUR);
        target.invalidate("k", HOUR);

        assertThat(copy(from, to)).isEqualTo(Result.THERE);

        assertThat(target.getOrLoad("k", HOUR, key -> "loaded")).isEqualTo("loaded");
    }

    /** The two halves of a delete, each between any two steps of a copy: first at the source, then at the target. */
    @Test
    void copyNeverOutlivesADeleteWhoseHalvesComeAtAnyTime() {
        for (CopyMoment first : CopyMoment.values()) {
            for (CopyMoment second : EnumSet.range(first, CopyMoment.AFTER_STORE)) {
                source.set("k", "v", HOUR);
                target.delete("k");
                first.at(from, to, () -> source.delete("k"));
                second.at(from, to, () -> target.delete("k"));

                copy(from, to);
                from.heal();
                to.heal();

                assertThat(target.get("k"))
                        .as("deleted at %s and %s", first, second)
                        .isNull();
                assertThat(target.add("k", "next", HOUR)).isTrue();
                target.delete("k");
            }
        }
    }

    @Test
    void claimIsReleasedWhenTheSourceFails() {
        from.refuse("mg k v");

        assertThatThrownBy(() -> copy(from, to))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(MemcachedConnectionException.class);

        assertThat(target.add("k", "v", HOUR)).isTrue();
    }

    @Test
    void claimIsReleasedWhenTheStoreFails() {
        source.set("k", "v", HOUR);
        to.refuse("ms k");

        assertThatThrownBy(() -> copy(from, to)).hasCauseInstanceOf(MemcachedConnectionException.class);

        assertThat(target.add("k", "v", HOUR)).isTrue();
    }

    @Test
    void classicSourceIsCopiedWithTheTimeToLiveThatWasChosen() {
        FakeFleet classic = new FakeFleet("classic", true);
        over(classic).set("k", "v", HOUR);

        assertThat(copy(classic, to)).isEqualTo(Result.COPIED);

        assertThat(target.get("k")).isEqualTo("v");
        assertThat(ttl(target, "k")).contains(Duration.ofMinutes(5));
    }

    @Test
    void classicTargetGetsTheItemByAdd() {
        FakeFleet classic = new FakeFleet("classic", true);
        source.set("k", "v", HOUR);

        assertThat(copy(from, classic)).isEqualTo(Result.COPIED);
        assertThat(copy(from, classic)).isEqualTo(Result.THERE);

        assertThat(over(classic).get("k")).isEqualTo("v");
    }

    @Test
    void classicTargetLosesTheCopyOfAnItemThatWasDeletedMeanwhile() {
        FakeFleet classic = new FakeFleet("classic", true);
        source.set("k", "v", HOUR);
        classic.before("ms k", () -> {
            source.delete("k");
            over(classic).delete("k");
        });

        assertThat(copy(from, classic)).isEqualTo(Result.REFUSED);

        assertThat(over(classic).get("k")).isNull();
    }

    @Test
    void bringWaitsForTheCopyOfAnother() {
        source.set("k", "v", HOUR);
        MetaItem<String> claimed = Objects.requireNonNull(
                target.meta().get(GetRequest.of("k").returning(ItemField.CAS).vivify(HOUR)));
        var copied = copier.copyIfMissing(KEY, from, to, deadline());
        assertThat(copied).isNotDone();

        target.cas("k", "v", claimed.casUnique(), HOUR);

        assertThat(copied.join()).isEqualTo(Result.THERE);
    }

    @Test
    void bringEndsWithATimeoutIfTheOtherIsTooSlow() {
        source.set("k", "v", HOUR);
        target.meta().get(GetRequest.of("k").vivify(HOUR));

        assertThatThrownBy(() -> copier.copyIfMissing(KEY, from, to, Deadline.in(TimeUnit.MILLISECONDS.toNanos(30)))
                        .join())
                .hasCauseInstanceOf(MemcachedTimeoutException.class);
    }

    @Test
    void bringClaimsNothingForAMissingItem() {
        assertThat(copier.copyIfMissing(KEY, from, to, deadline()).join()).isEqualTo(Result.ABSENT);

        assertThat(to.sent()).containsExactly("mg k s");
    }

    @Test
    void binaryKeyIsCopiedAsOne() {
        byte[] binary = {1, 2, 3};
        source.meta().set(io.memshard.client.meta.SetRequest.of(binary, "v"));

        assertThat(copier.copy(new ItemKey(Base64.getEncoder().encodeToString(binary), true), from, to, deadline())
                        .join())
                .isEqualTo(Result.COPIED);

        assertThat(Objects.requireNonNull(target.meta().get(GetRequest.of(binary)))
                        .value())
                .isEqualTo("v");
    }
}
