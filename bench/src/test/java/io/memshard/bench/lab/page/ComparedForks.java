// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files of a comparison that was never measured. Its gets are of 100 bytes. */
public final class ComparedForks {

    private final Path folder;

    /** Writes the facts of the run into {@code folder}. */
    public ComparedForks(Path folder, String busy) {
        this.folder = folder;
        Map<String, String> facts =
                new LinkedHashMap<>(Map.of("started", "1970", "commit", "0123456789ab", "cpus", "2"));
        facts.putAll(Map.of("experiments", "clients", "profiles", "cloud", "command", "bench/run", "busy", busy));
        facts.put("cpu_model", "a \"fast\" one,\nor <b>two</b>");
        new RunFacts(facts).write(folder.resolve(RunFacts.NAME));
    }

    /** Adds a round of a second; {@code cpuMicros} is the client's time for an operation. */
    public ComparedForks fork(int block, int round, String arm, int threads, long operations, double cpuMicros) {
        Condition condition = Clients.condition(threads, 100, Clients.Load.GET, false);
        ForkKey key = new ForkKey(Clients.NAME, Profile.CLOUD, block, arm, condition, false);
        Map<Measure, Double> measures = Map.of(
                Measure.SECONDS,
                1.0,
                Measure.CYCLES,
                (double) operations,
                Measure.CPU_SECONDS,
                cpuMicros * operations / 1e6,
                Measure.ALLOCATED_BYTES,
                100.0 * operations,
                Measure.ALL_ALLOCATED_BYTES,
                250.0 * operations,
                Measure.GC_COUNT,
                3.0);
        ForkFile.append(
                folder.resolve(ForkFile.NAME),
                ForkResult.of(key, measures, Map.of("round", (double) round), List.of(1L, 1L)));
        return this;
    }
}
