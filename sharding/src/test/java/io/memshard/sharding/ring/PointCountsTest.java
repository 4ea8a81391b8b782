// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointCountsTest {

    @Test
    void equalServersOfLibmemcachedMostlyHave160Points() {
        List<Integer> numbers = IntStream.rangeClosed(1, 100)
                .filter(count -> {
                    int[] points = PointCounts.byShareInFloat().of(servers(count, 1));
                    assertThat(points).containsOnly(points[0]);
                    assertThat(points[0]).isIn(156, 160);
                    return points[0] == 156;
                })
                .boxed()
                .toList();

        assertThat(numbers).containsExactly(25, 47, 50, 55, 61, 71, 94, 100);
    }

    @Test
    void theScaleOfWeightsCountsForXmemcachedOnly() {
        assertThat(PointCounts.byShareInFloat().of(servers(10, 64))).containsOnly(160);
        assertThat(PointCounts.byShare().of(servers(10, 64))).containsOnly(160);
        assertThat(PointCounts.timesWeight(PointCounts.KETAMA).of(servers(10, 64)))
                .containsOnly(64 * 160);
    }

    @ParameterizedTest
    @ValueSource(strings = {"xmemcached-ketama-gwhalin", "xmemcached", "twemproxy-modula", "gomemcache"})
    void weightsWithMorePointsThanARingMayHaveAreRefused(String ring) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.named(ring).locator(servers(300, 65_535)))
                .withMessageContaining("at most 10000000")
                .withMessageContaining("divide all weights");
        assertThatIllegalArgumentException().isThrownBy(() -> Ring.named(ring).locator(servers(3, 999_999_999)));
        assertThat(Ring.named(ring).locator(servers(3, 100)).servers()).hasSize(3);
    }

    private static List<Server> servers(int count, int weight) {
        Server[] servers = new Server[count];
        Arrays.setAll(servers, i -> Server.parse("cache-" + i + "*" + weight));
        return List.of(servers);
    }
}
