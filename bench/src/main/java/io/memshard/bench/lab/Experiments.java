// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Venus;
import io.memshard.bench.lab.datasource.DruidFairness;
import io.memshard.bench.lab.datasource.DruidTable;
import io.memshard.bench.lab.datasource.OpenCms;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.pool.FalseSharing;
import io.memshard.bench.lab.pool.PoolCycle;
import io.memshard.bench.lab.pool.Queues;
import io.memshard.bench.lab.pool.SyncPool;
import io.memshard.bench.result.BenchException;
import java.util.List;
import java.util.stream.Collectors;

public final class Experiments {

    public static final List<Experiment> ALL = List.of(
            new Venus(),
            new PoolCycle(),
            new Queues(),
            new DruidFairness(),
            new DruidTable(),
            new OpenCms(),
            new SyncPool(),
            new FalseSharing());

    private Experiments() {}

    public static Experiment named(String name) {
        return ALL.stream()
                .filter(experiment -> experiment.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BenchException("unknown experiment \"" + name + "\"; the known experiments are "
                        + ALL.stream().map(Experiment::name).collect(Collectors.joining(", "))));
    }
}
