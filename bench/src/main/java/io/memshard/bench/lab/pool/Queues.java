// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.pool.QueueKind.Pattern;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Experiment on queues: whether a queue with two locks serves a client better than a queue with one lock, and whether
 * either differs from a queue without locks.
 *
 * <p>The article explains its curves by the number of locks. So each queue runs in two patterns. In the pattern of a
 * pool, every caller takes and puts. In the pattern of a client, callers put and one thread takes.
 */
public final class Queues extends Experiment {
    /** Number of cycles timed together. A cycle of the pool's pattern takes less than a microsecond. */
    private static final int BATCH = 16;

    /** Makes the experiment. */
    public Queues() {
        super("queues", "element put and taken");
    }

    @Override
    public List<Arm> arms() {
        return QueueKind.all().stream().map(QueueKind::arm).toList();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Plan.Cell> cells = cells(List.of(32));
        Plan plan = size == Size.QUICK
                ? Plan.quick(cells)
                : Plan.of(cells, 5, Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .withProfiles(cells)
                        .withAside(cells(List.of(1, 8, 100, 300)), 5);
        return plan.withBatch(BATCH);
    }

    private static List<Plan.Cell> cells(List<Integer> threads) {
        List<Plan.Cell> cells = new ArrayList<>();
        for (int callers : threads) {
            for (Pattern pattern : Pattern.values()) {
                Condition condition = Condition.ofThreads(callers).with(Pattern.PARAMETER, pattern.label());
                List<String> able = QueueKind.all().stream()
                        .filter(pattern::suits)
                        .map(QueueKind::name)
                        .toList();
                cells.addAll(Plan.cross(List.of(condition), able));
            }
        }
        return cells;
    }
}
