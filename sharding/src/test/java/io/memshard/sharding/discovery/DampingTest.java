// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.sharding.ring.Server;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Times are in nanoseconds of a clock that the test sets; a change settles in 100. */
class DampingTest {

    private static final long SETTLE = 100;

    private final Damping damping = new Damping(SETTLE);

    private static List<Server> servers(String... texts) {
        return Stream.of(texts).map(Server::parse).toList();
    }

    private boolean offer(long now, String... texts) {
        return damping.offer(servers(texts), now);
    }

    private void assertCurrent(String... texts) {
        assertThat(damping.current()).isEqualTo(servers(texts));
    }

    @Test
    void theFirstListIsAdoptedAtOnce() {
        assertThat(damping.current()).isEmpty();
        assertThat(offer(0, "a", "b")).isTrue();
        assertCurrent("a", "b");
        assertThat(damping.untilSettledNanos(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aChangeThatLastsForTheSettleTimeIsAdopted() {
        offer(0, "a", "b");
        assertThat(offer(10, "a", "b", "c")).isFalse();
        assertThat(damping.untilSettledNanos(10)).isEqualTo(100);
        assertThat(offer(60, "a", "b", "c")).isFalse();
        assertThat(damping.untilSettledNanos(60)).isEqualTo(50);
        assertCurrent("a", "b");
        assertThat(offer(110, "a", "b", "c")).isTrue();
        assertCurrent("a", "b", "c");
    }

    @Test
    void removalsAndAnotherOrderOrWeightSettleToo() {
        offer(0, "a", "b");
        assertThat(offer(10, "b")).isFalse();
        assertThat(offer(20, "b", "a")).isFalse();
        assertThat(offer(30, "a*2", "b")).isFalse();
        assertCurrent("a", "b");
        assertThat(offer(130, "a*2", "b")).isTrue();
        assertCurrent("a*2", "b");
    }

    @Test
    void aNameThatFlapsFasterThanTheSettleTimeIsNeverAdopted() {
        offer(0, "a", "b");
        for (int i = 1; i <= 50; i++) {
            long now = i * 90L;
            assertThat(i % 2 == 0 ? offer(now, "a", "b") : offer(now, "a")).isFalse();
        }
        assertCurrent("a", "b");
    }

    @Test
    void theStreakOfListsThatWereHeldBackEndsWhenTheListStays() {
        offer(0, "a", "b");
        for (int i = 1; i <= 26; i++) {
            offer(i, "a");
            offer(i, "a", "b");
            assertThat(damping.isUnstable()).isEqualTo(i == 10 || i == 15 + 10);
            if (i == 15) {
                offer(i, "a", "b");
            }
        }
    }

    @Test
    void anotherAddressOfANamedServerIsTakenAtOnce() {
        offer(0, "a=10.0.0.1:11211", "b=10.0.0.2:11211");
        assertThat(offer(1, "a=10.0.0.9:11211", "b=10.0.0.2:11211")).isTrue();
        assertCurrent("a=10.0.0.9:11211", "b=10.0.0.2:11211");
        assertThat(offer(2, "a=10.0.0.9:11211", "b=10.0.0.2:11211")).isFalse();
    }

    @Test
    void addressesAreTakenAtOnceWhileAChangeSettles() {
        offer(0, "a=10.0.0.1:11211", "b=10.0.0.2:11211");
        assertThat(offer(10, "a=10.0.0.9:11211", "b=10.0.0.2:11211", "c=10.0.0.3:11211"))
                .isTrue();
        assertCurrent("a=10.0.0.9:11211", "b=10.0.0.2:11211");
        assertThat(offer(110, "a=10.0.0.9:11211", "b=10.0.0.8:11211", "c=10.0.0.3:11211"))
                .isTrue();
        assertCurrent("a=10.0.0.9:11211", "b=10.0.0.8:11211", "c=10.0.0.3:11211");
    }

    @Test
    void noTwoServersGetTheSameAddress() {
        offer(0, "a=10.0.0.1:11211", "b=10.0.0.2:11211");
        assertThat(offer(10, "a=10.0.0.2:11211")).isFalse();
        assertCurrent("a=10.0.0.1:11211", "b=10.0.0.2:11211");
        assertThat(offer(110, "a=10.0.0.2:11211")).isTrue();
        assertCurrent("a=10.0.0.2:11211");
    }

    @Test
    void anotherAddressOfAServerWithoutANameIsAnotherServer() {
        offer(0, "10.0.0.1:11211");
        assertThat(offer(10, "10.0.0.2:11211")).isFalse();
        assertThat(offer(110, "10.0.0.2:11211")).isTrue();
    }

    @Test
    void withoutASettleTimeEachChangeIsTakenAtOnce() {
        Damping none = new Damping(0);
        assertThat(none.offer(servers("a"), 0)).isTrue();
        assertThat(none.offer(servers("b"), 0)).isTrue();
        assertThat(none.offer(servers("c"), 0)).isTrue();
        assertThat(none.offer(servers("c"), 1)).isFalse();
    }
}
