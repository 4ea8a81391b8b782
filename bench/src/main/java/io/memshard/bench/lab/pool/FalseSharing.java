// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Experiment on the throughput that threads lose if their counters are on one cache line. */
public final class FalseSharing extends Experiment {
    private static final int INCREMENTS = 100;

    public FalseSharing() {
        super("false-sharing", "hundred increments");
    }

    @Override
    public List<Arm> arms() {
        return List.of(arm("adjacent", 1), arm("64-bytes", 8), arm("128-bytes", 16));
    }

    private static Arm arm(String name, int stride) {
        return Arm.of(name, setup -> counters(setup.condition().threads(), stride));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Plan.Cell> cells = Plan.cross(List.of(Condition.ofThreads(2)), armNames());
        Plan plan = size == Size.QUICK
                ? Plan.quick(cells)
                : Plan.of(cells, 10, Duration.ofSeconds(1), Duration.ofSeconds(1));
        return plan.withBatch(8);
    }

    private static OpenedArm counters(int callers, int stride) {
        AtomicLongArray counters = new AtomicLongArray(callers * stride + 2 * 16);
        return caller -> {
            int own = 16 + caller * stride;
            return number -> {
                long value = counters.getPlain(own);
                for (int i = 0; i < INCREMENTS; i++) {
                    counters.setOpaque(own, ++value);
                }
                return value;
            };
        };
    }
}
