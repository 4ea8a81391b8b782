// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Experiment that repeats an article about Go's {@code sync.Pool}. */
public final class SyncPool extends Experiment {
    private static final int BATCH = 64;

    public SyncPool() {
        super("sync-pool", "buffer got and put back");
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                arm("new", most -> new Pool<>(Buffer::new, buffer -> {}, () -> {})),
                arm("thread-local", most -> Buffers.ofThread()),
                arm("locked-deque", most -> Buffers.locked(1, most)),
                arm("sharded-locks-64", most -> Buffers.locked(64, most)),
                arm("striped", most -> new StripedBuffers(StripedBuffers.PADDED_STRIDE).pool()),
                arm("striped-unpadded", most -> new StripedBuffers(StripedBuffers.SLOTS).pool()),
                arm("striped-victim", most -> StripedBuffers.aging().pool()));
    }

    private static Arm arm(String name, IntFunction<Pool<Buffer>> pool) {
        return Arm.of(
                name,
                setup -> new PoolArm<>(
                        pool.apply(2 * setup.condition().threads()), Buffer::use, setup.condition(), uses -> Map.of()));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        Condition hundred = Condition.ofThreads(100);
        if (size == Size.QUICK) {
            return Plan.quick(Plan.cross(List.of(hundred), armNames())).withBatch(BATCH);
        }
        Condition eight = Condition.ofThreads(8);
        return Plan.of(
                        Plan.all(
                                Plan.cross(List.of(Condition.ofThreads(1), hundred), armNames()),
                                Plan.cross(List.of(Condition.ofThreads(2), eight), List.of("locked-deque"))),
                        5,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))
                .withBatch(BATCH)
                .withProfiles(Plan.cross(List.of(hundred), armNames()))
                .withAside(Plan.cross(List.of(eight), armNames()), 3);
    }
}
