// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.venus.Clients;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.table.ComparisonTables;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientRunTest {

    private static final Condition EIGHT = Clients.condition(8, 100, Clients.Load.MIXED, false, 2);

    @TempDir
    private Path folder;

    @BeforeEach
    void writeFacts() {
        Map<String, String> facts = new LinkedHashMap<>(
                Map.of("started", "2026-01-02T03:04:05Z", "commit", "0123456789ab-dirty", "cpus", "2", "seed", "7"));
        facts.putAll(Map.of("experiments", "clients", "profiles", "cloud", "command", "bench/run", "busy", ""));
        new RunFacts(facts).write(folder.resolve(RunFacts.NAME));
    }

    @Test
    void forksAreTheSlicesOfAComparison() {
        for (int block = 1; block <= 2; block++) {
            append(block, "connection", 1000);
            append(block, "connection-again", 1000);
            append(block, "memshard-sticky", 3000);
        }

        ComparisonResult result = ClientRun.read(folder).orElseThrow();

        assertThat(result.plan().contenders()).containsExactly("connection", "connection-again", "memshard-sticky");
        assertThat(result.plan().forks()).isEqualTo(2);
        assertThat(result.environment().commit()).isEqualTo("0123456789ab-dirty");
        ContenderSummary last = result.summaries().get(2);
        assertThat(Objects.requireNonNull(last.ratio()).mid()).isCloseTo(3, within(1e-9));
        assertThat(last.connections()).isEqualTo(2);
        assertThat(last.throughput().mid()).isCloseTo(1500, within(1e-6));
        assertThat(ComparisonTables.details(result))
                .contains("### 8 threads, 90/10 get/set of 100 B", "| memshard-sticky | 2 | 3.00 [3.00, 3.00] faster");
    }

    @Test
    void aContenderThatDidNotRunLosesItsRow() {
        append(1, "connection", 1000);
        ForkFile.append(folder.resolve(ForkFile.NAME), ForkResult.failed(key(1, "folsom"), "closed"));

        ComparisonResult result = ClientRun.read(folder).orElseThrow();

        assertThat(result.plan().contenders()).contains("folsom");
        assertThat(result.summaries()).extracting(ContenderSummary::contender).containsExactly("connection");
    }

    @Test
    void aFolderOfOtherExperimentsIsNoComparison() {
        assertThat(ClientRun.read(folder)).isEmpty();
        append(1, "connection", 1000);
        new RunFacts(Map.of("experiments", "venus")).write(folder.resolve(RunFacts.NAME));

        assertThat(ClientRun.read(folder)).isEmpty();
    }

    private void append(int block, String arm, double cycles) {
        Map<Measure, Double> measures = Map.of(Measure.SECONDS, 2.0, Measure.CYCLES, cycles, Measure.STEAL, 0.0);
        ForkFile.append(
                folder.resolve(ForkFile.NAME), ForkResult.of(key(block, arm), measures, Map.of(), List.of(1L, 2L)));
    }

    private static ForkKey key(int block, String arm) {
        return new ForkKey(Clients.NAME, Profile.CLOUD, block, arm, EIGHT, false);
    }
}
