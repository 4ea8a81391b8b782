// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointCountsTest {

    @Test
    void equalServersOfLibmemcachedHave160PointsButForSomeNumbersOfThem() {
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

    private static List<Server> servers(int count, int weight) {
        Server[] servers = new Server[count];
        Arrays.setAll(servers, i -> Server.parse("cache-" + i + "*" + weight));
        return List.of(servers);
    }
}
