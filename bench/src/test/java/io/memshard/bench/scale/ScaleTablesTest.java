// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.result.Environment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTablesTest {

    private final List<ScaleFigure> figures = new ArrayList<>();

    private void figures(int servers, ScaleMeasure measure, double... rounds) {
        for (int i = 0; i < rounds.length; i++) {
            figures.add(new ScaleFigure(servers, measure, i + 1, rounds[i]));
        }
    }

    private ScaleResult result() {
        Environment environment = new Environment(
                Instant.EPOCH,
                2,
                "cpu",
                "Linux",
                "17",
                List.of(),
                "127.0.0.1:1",
                "one process",
                "1.6.18",
                null,
                0,
                0,
                null,
                false,
                "bench/run scale");
        return new ScaleResult(environment, new ScaleResult.Plan(2, 100, 3, 1_000, 1), figures);
    }

    @Test
    void memoryIsThatOfAServerAndAGetIsComparedWithinItsRound() {
        for (int servers : new int[] {1, 10}) {
            figures(servers, ScaleMeasure.SOCKETS, 4 * servers);
            figures(servers, ScaleMeasure.THREADS, 4);
            figures(servers, ScaleMeasure.HEAP_BYTES, 20_480 * servers);
            figures(servers, ScaleMeasure.DIRECT_BYTES, 1_024 * servers);
            figures(servers, ScaleMeasure.GET_CPU_US, 3);
            figures(servers, ScaleMeasure.GET_BYTES, 250);
        }
        figures(1, ScaleMeasure.GET_US, 10, 20, 40);
        figures(10, ScaleMeasure.GET_US, 11, 22, 80);

        assertThat(ScaleTables.table(result())).isEqualTo("""
                | servers | sockets | threads | heap a server | direct memory a server | a get waits | beside 1 | \
                CPU of the caller | allocated |
                |--:|--:|--:|--:|--:|--:|--:|--:|--:|
                | 1 | 4 | 4 | 20.0 KiB | 1.0 KiB | 20.0 us (15.0 to 30.0) | 1.00 | 3.0 us | 250 B |
                | 10 | 40 | 4 | 20.0 KiB | 1.0 KiB | 22.0 us (16.5 to 51.0) | 1.10 | 3.0 us | 250 B |
                """);
        assertThat(ScaleTables.environment(result()))
                .startsWith("- connections to a server: 2; values of 100 B; 3 rounds of 1,000 ms; seed 1\n")
                .contains("- server: memcached 1.6.18, one process\n", "again: `bench/run scale`");
    }
}
