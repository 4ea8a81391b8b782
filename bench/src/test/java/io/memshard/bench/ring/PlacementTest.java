// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {

    private static final int SERVERS = 10;
    private static final int KEYS = 20_000;
    private static final Offset<Double> CHANCE = within(0.03);
    private static final String[] SAMPLE = SampleKeys.of(KEYS, 1);

    @Test
    void theSameSeedGivesTheSameFiguresForEveryRing() {
        int few = 1_000;
        assertThat(Ring.names())
                .allSatisfy(name -> assertThat(
                                new Placement(Ring.named(name), SampleKeys.of(few, 1)).figures(new Fleet(1), 3, few, 1))
                        .isEqualTo(new Placement(Ring.named(name), SampleKeys.of(few, 1))
                                .figures(new Fleet(1), 3, few, 1)));
    }

    @Test
    void otherFleetsHaveOtherNamesAndOtherFigures() {
        assertThat(new Placement(Ring.folsom(), SAMPLE).figures(new Fleet(2), SERVERS, KEYS, 1))
                .isNotEqualTo(figures("folsom"));
    }

    @Test
    void theBalanceIsThatOfTheKeys() {
        assertThat(figures("jump"))
                .hasEntrySatisfying(
                        RingMeasure.MAX_OVER_MEAN, value -> assertThat(value).isBetween(1.0, 1.1))
                .hasEntrySatisfying(
                        RingMeasure.MIN_OVER_MEAN, value -> assertThat(value).isBetween(0.9, 1.0))
                .hasEntrySatisfying(
                        RingMeasure.DEVIATION, value -> assertThat(value).isBetween(0.001, 0.05));
    }

    @Test
    void aModuloMovesMostKeysAstray() {
        Map<RingMeasure, Double> figures = figures("spymemcached");

        assertThat(figures.get(RingMeasure.ADDED_MOVED)).isEqualTo(10 / 11.0, CHANCE);
        assertThat(figures.get(RingMeasure.ADDED_ASTRAY)).isEqualTo(9 / 11.0, CHANCE);
        assertThat(figures.get(RingMeasure.REORDERED_MOVED)).isEqualTo(1);
        assertThat(figures.get(RingMeasure.REPLACED_MOVED)).isEqualTo(0.1, CHANCE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pymemcache", "folsom", "spymemcached-ketama", "libmemcached-ketama", "libmemcached-weighted"})
    void aConsistentRingMovesOnlyWhatItMust(String name) {
        Map<RingMeasure, Double> figures = figures(name);

        assertThat(figures.get(RingMeasure.ADDED_MOVED)).isEqualTo(1 / 11.0, within(0.06));
        assertThat(figures)
                .containsEntry(RingMeasure.ADDED_ASTRAY, 0.0)
                .containsEntry(RingMeasure.REMOVED_ASTRAY, 0.0)
                .containsEntry(RingMeasure.REPLACED_ASTRAY, 0.0)
                .containsEntry(RingMeasure.REORDERED_MOVED, 0.0);
    }

    @Test
    void jumpIsConsistentAtTheEndOfTheListOnly() {
        Map<RingMeasure, Double> figures = figures("jump");

        assertThat(figures).containsEntry(RingMeasure.ADDED_ASTRAY, 0.0);
        assertThat(figures.get(RingMeasure.REMOVED_ASTRAY)).isGreaterThan(0.2);
        assertThat(figures.get(RingMeasure.REORDERED_MOVED)).isEqualTo(1);
    }

    @Test
    void onlyRingsThatHashTheIpAddressMoveKeysWithIt() {
        assertThat(figures("spymemcached-ketama").get(RingMeasure.READDRESSED_MOVED))
                .isPositive();
        assertThat(figures("libmemcached-weighted")).containsEntry(RingMeasure.READDRESSED_MOVED, 0.0);
    }

    @Test
    void weightsAreMeasuredWhereARingHasThem() {
        assertThat(Placement.hasWeights(Ring.dalli())).isTrue();
        assertThat(Placement.hasWeights(Ring.jump())).isFalse();
        assertThat(figures("jump")).doesNotContainKey(RingMeasure.HEAVY_OVER_DUE);
        assertThat(figures("xmemcached"))
                .hasEntrySatisfying(
                        RingMeasure.HEAVY_OVER_DUE, value -> assertThat(value).isEqualTo(1, CHANCE))
                .hasEntrySatisfying(
                        RingMeasure.LIGHT_OVER_DUE, value -> assertThat(value).isEqualTo(1, CHANCE));
        // A ring with a fixed number of points for each unit of weight leaves the others alone.
        assertThat(figures("xmemcached-ketama-gwhalin"))
                .containsEntry(RingMeasure.HEAVY_ADDED_ASTRAY, 0.0)
                .containsEntry(RingMeasure.REWEIGHTED_ASTRAY, 0.0);
    }

    @Test
    void everyFourthServerOfAWeightedFleetIsHeavy() {
        assertThat(new Fleet(1).weighted(8)).extracting(Server::weight).containsExactly(1, 1, 1, 3, 1, 1, 1, 3);
        List<Server> readdressed = List.of(new Fleet(1).readdressed(new Fleet(1).server(0), 0));
        assertThat(readdressed.get(0).address())
                .isEqualTo(new Fleet(1).server(0).address());
        assertThat(readdressed.get(0).ip()).isNotEqualTo(new Fleet(1).server(0).ip());
    }

    private static Map<RingMeasure, Double> figures(String name) {
        return new Placement(Ring.named(name), SAMPLE).figures(new Fleet(1), SERVERS, KEYS, 1);
    }
}
