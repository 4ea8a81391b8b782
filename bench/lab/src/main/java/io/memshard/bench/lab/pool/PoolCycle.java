// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What do a borrow and a return cost, and which pools wait for locks as threads grow?
 *
 * <p>Without a hold the pool is all that callers do, which shows it at its worst. With a park of 200 microseconds an
 * item is out as long as a memcached takes to answer, and callers wait because all items are out. The two are told
 * apart by running both.
 */
public final class PoolCycle implements Experiment {

    /** Systems whose size and hold are swept; the others run at the size of the profile. */
    private static final List<String> SWEPT = List.of(
            "commons-pool2-2.13.1", "hikari-bag-7.1.0", "semaphore-queue", "linked-blocking-deque", "array-thread-id");

    private static final List<Integer> SIZES = List.of(8, 20, 100);

    /** A claim is on the curve of the first; the second is what a pool without locks waits. */
    private static final List<String> CURVE = List.of("commons-pool2-2.13.1", "semaphore-queue");

    private static final List<Integer> THREADS = List.of(1, 2, 8, 32, 64, 100, 300);
    private static final int BLOCKS = 5;

    /** A cycle may take less than a microsecond: two time stamps a cycle would be most of what is measured. */
    private static final int BATCH = 16;

    @Override
    public String name() {
        return "pool-cycle";
    }

    @Override
    public String question() {
        return "What do a borrow and a return cost, and which pools wait for locks as threads grow?";
    }

    @Override
    public String unit() {
        return "borrow and return";
    }

    @Override
    public List<Arm> arms() {
        return PoolSystems.arms();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<String> all = arms().stream().map(Arm::name).toList();
        if (size == Size.QUICK) {
            Condition busy = condition(64, profile.poolSize(), "none");
            return new Plan(
                    Plan.cross(List.of(busy), all),
                    1,
                    Duration.ofMillis(300),
                    Duration.ofMillis(500),
                    0,
                    BATCH,
                    List.of());
        }
        Condition hundred = condition(100, profile.poolSize(), "none");
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(List.of(hundred), all));
        List<Plan.Cell> profiles = new ArrayList<>(cells);
        for (int threads : THREADS) {
            List<Plan.Cell> curve = Plan.cross(List.of(condition(threads, profile.poolSize(), "none")), CURVE);
            cells.addAll(curve);
            profiles.add(curve.get(0));
        }
        return new Plan(
                        cells.stream().distinct().toList(),
                        BLOCKS,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        0,
                        BATCH,
                        profiles.stream().distinct().toList())
                .withAside(aside(all, profile.poolSize()), 5);
    }

    private static List<Plan.Cell> aside(List<String> all, int size) {
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(
                List.of(condition(1, size, "none"), condition(8, size, "none"), condition(100, size, "park-200us")),
                all));
        for (int max : SIZES) {
            cells.addAll(Plan.cross(List.of(condition(64, max, "none"), condition(64, max, "park-200us")), SWEPT));
        }
        cells.addAll(Plan.cross(List.of(condition(64, size, "spin-1us"), condition(64, size, "spin-20us")), SWEPT));
        return cells;
    }

    private static Condition condition(int threads, int max, String hold) {
        return Condition.ofThreads(threads).with(PoolArm.MAX, max).with(Hold.PARAMETER, hold);
    }
}
