// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.ArmBenchmark;
import io.memshard.bench.lab.experiment.Experiment;

/** The benchmark of {@link Counting}. */
public class CountingBenchmark extends ArmBenchmark {

    @Override
    protected Experiment experiment(String name) {
        return new Counting();
    }
}
