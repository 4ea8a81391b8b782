// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.client.options.ServerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Balance of the rings, and the keys that a change of the servers moves: the properties that docs/rings.md states. */
class RingBalanceTest {

    private static final int SERVERS = 10;
    private static final int MIDDLE = SERVERS / 2;
    private static final List<String> KEYS = RingFixture.RANDOM_KEYS.subList(0, 20_000);
    private static final List<Server> BEFORE = fleet(SERVERS);
    private static final Offset<Double> CHANCE = within(0.03);

    @ParameterizedTest
    @CsvSource({
        "spymemcached,1.1",
        "jump,1.1",
        "pymemcache,1.1",
        "libmemcached-weighted,1.3",
        "xmemcached-ketama-gwhalin,1.3",
        "dalli,1.3",
        "folsom,1.4",
        "libmemcached-ketama,1.4"
    })
    void noServerHasManyTimesTheKeysOfTheMeanOne(String name, double mostOverMean) {
        int[] keys = new int[SERVERS];
        owners(Ring.named(name), BEFORE).forEach(server -> keys[server]++);
        double mean = (double) KEYS.size() / SERVERS;

        assertThat(IntStream.of(keys).max().orElseThrow() / mean).isLessThan(mostOverMean);
        assertThat(IntStream.of(keys).min().orElseThrow() / mean).isGreaterThan(2 - mostOverMean);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pymemcache", "folsom", "spymemcached-ketama", "libmemcached-ketama", "libmemcached-weighted"})
    void aConsistentRingMovesOnlyTheKeysOfTheServerThatChanges(String name) {
        Ring ring = Ring.named(name);
        List<Integer> before = owners(ring, BEFORE);
        List<Integer> added = owners(ring, fleet(SERVERS + 1));

        assertThat(share(key -> added.get(key) == SERVERS)).isEqualTo(1.0 / (SERVERS + 1), within(0.06));
        assertThat(share(key -> added.get(key) != SERVERS && !added.get(key).equals(before.get(key))))
                .isZero();
        List<Integer> removed = owners(ring, withoutTheMiddle());
        assertThat(share(key -> before.get(key) != MIDDLE && !before.get(key).equals(formerIndex(removed.get(key)))))
                .isZero();
        assertThat(movedByAReversal(ring)).isZero();
    }

    @Test
    void aModuloMovesNearlyAllKeys() {
        List<Integer> before = owners(Ring.spymemcached(), BEFORE);
        List<Integer> added = owners(Ring.spymemcached(), fleet(SERVERS + 1));

        assertThat(share(key -> !added.get(key).equals(before.get(key)))).isEqualTo(10 / 11.0, CHANCE);
        assertThat(movedByAReversal(Ring.spymemcached())).isEqualTo(1);
    }

    @Test
    void jumpIsConsistentAtTheEndOfTheListOnly() {
        List<Integer> before = owners(Ring.jump(), BEFORE);
        List<Integer> added = owners(Ring.jump(), fleet(SERVERS + 1));
        List<Integer> removed = owners(Ring.jump(), withoutTheMiddle());

        assertThat(share(key -> added.get(key) != SERVERS && !added.get(key).equals(before.get(key))))
                .isZero();
        assertThat(share(key -> before.get(key) != MIDDLE && !before.get(key).equals(formerIndex(removed.get(key)))))
                .isGreaterThan(0.2);
        assertThat(movedByAReversal(Ring.jump())).isEqualTo(1);
    }

    @Test
    void onlyARingThatHashesTheIpAddressMovesKeysWithIt() {
        List<Server> readdressed = new ArrayList<>(BEFORE);
        readdressed.set(MIDDLE, BEFORE.get(MIDDLE).withIp(ip(11, MIDDLE)));

        assertThat(owners(Ring.spymemcachedKetama(), readdressed))
                .isNotEqualTo(owners(Ring.spymemcachedKetama(), BEFORE));
        assertThat(owners(Ring.libmemcachedWeighted(), readdressed))
                .isEqualTo(owners(Ring.libmemcachedWeighted(), BEFORE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xmemcached", "twemproxy", "libmemcached-weighted", "xmemcached-ketama-gwhalin", "dalli"})
    void aServerHasKeysInProportionToItsWeight(String name) {
        List<Server> weighted = IntStream.range(0, 8)
                .mapToObj(index -> BEFORE.get(index).withWeight(index % 4 == 3 ? 3 : 1))
                .toList();
        List<Integer> owners = owners(Ring.named(name), weighted);

        assertThat(share(key -> owners.get(key) % 4 == 3)).isEqualTo(0.5, within(0.05));
    }

    private static List<Integer> owners(Ring ring, List<Server> servers) {
        ServerLocator locator = ring.locator(servers);
        return KEYS.stream().map(locator::locate).toList();
    }

    private static double share(IntPredicate ofKeys) {
        return (double) IntStream.range(0, KEYS.size()).filter(ofKeys).count() / KEYS.size();
    }

    /** Returns the share of keys that have another server once the list, of an even length, is reversed. */
    private static double movedByAReversal(Ring ring) {
        List<Server> reversed = new ArrayList<>(BEFORE);
        Collections.reverse(reversed);
        List<Integer> before = owners(ring, BEFORE);
        List<Integer> after = owners(ring, reversed);
        return share(key -> SERVERS - 1 - after.get(key) != before.get(key));
    }

    private static List<Server> withoutTheMiddle() {
        List<Server> servers = new ArrayList<>(BEFORE);
        servers.remove(MIDDLE);
        return servers;
    }

    private static int formerIndex(int withoutTheMiddle) {
        return withoutTheMiddle < MIDDLE ? withoutTheMiddle : withoutTheMiddle + 1;
    }

    private static List<Server> fleet(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> Server.of(
                                new ServerAddress("cache-" + index + ".example.com", ServerAddress.DEFAULT_PORT))
                        .withIp(ip(10, index)))
                .toList();
    }

    private static InetAddress ip(int first, int index) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) first, 0, 0, (byte) index});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
