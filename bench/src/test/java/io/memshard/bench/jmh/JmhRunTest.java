// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.contender.ContenderKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;

class JmhRunTest {

    @Test
    void theForksAreToldTheServer() {
        assertThat(JmhRun.complete(List.of("-p", "contender=FOLSOM", "-f", "1"), "127.0.0.1:1"))
                .containsExactly(
                        "-p", "contender=FOLSOM", "-f", "1", "-jvmArgsAppend", "-Dmemshard.bench.server=127.0.0.1:1");
    }

    @Test
    void argumentsOfTheForksThatAreThereStay() {
        assertThat(JmhRun.complete(List.of("-jvmArgsAppend", "-Xmx1g", "-f", "1"), "127.0.0.1:1"))
                .startsWith("-jvmArgsAppend", "-Xmx1g -Dmemshard.bench.server=127.0.0.1:1", "-f", "1");
    }

    @Test
    void withoutAContenderTheRegularOnesAreMeasured() throws Exception {
        Param contenders = GetBenchmark.class.getField("contender").getAnnotation(Param.class);

        assertThat(contenders.value())
                .containsExactlyElementsOf(Arrays.stream(ContenderKind.values())
                        .filter(ContenderKind::isRegular)
                        .map(Enum::name)
                        .toList());
    }

    @Test
    void anUnknownContenderIsRefusedBeforeAnythingRuns() {
        for (List<String> arguments : List.of(
                List.of("-f", "1", "-p", "contender=FOLSOM,NOPE"),
                List.of("-pcontender=NOPE"),
                List.of("-p=contender=NOPE"))) {
            assertThatExceptionOfType(BenchException.class)
                    .isThrownBy(() -> JmhRun.check(arguments))
                    .withMessageStartingWith("unknown contender \"NOPE\" in -p contender; known are TEMPLATE, ");
        }
        JmhRun.check(List.of("-p", "contender=FOLSOM,MEMSHARD_STICKY"));
    }

    @Test
    void theEnvironmentStandsBesideTheResults() {
        assertThat(JmhRun.environmentFile(Path.of("results/allocation.csv")))
                .isEqualTo(Path.of("results/allocation-environment.csv"));
    }

    @Test
    void listingNeedsNoServer() {
        assertThat(JmhRun.needsServer(List.of("-lprof"))).isFalse();
        assertThat(JmhRun.needsServer(List.of("-f", "1"))).isTrue();
    }
}
