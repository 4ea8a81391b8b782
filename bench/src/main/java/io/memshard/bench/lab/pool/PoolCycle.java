// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Variants;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Experiment on the cost of a borrow and a return, and on waits for locks. */
public final class PoolCycle extends Experiment {
    private static final String COMMONS = "commons-pool2-2.13.1";
    private static final List<String> CURVE = List.of(COMMONS, "semaphore-queue");
    private static final int BLOCKS = 5;
    /** Number of cycles that are timed together. Time stamps for each cycle would dominate the measurement. */
    private static final int BATCH = 16;

    public PoolCycle() {
        super("pool-cycle", "borrow and return");
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                commons("", config -> {}),
                // Statistics exist since 2.13. Without them a cycle enters three monitors fewer.
                commons("-no-statistics", config -> config.setCollectDetailedStatistics(false)),
                commons("-fair", config -> config.setFairness(true)),
                own("linked-blocking-deque", Pools::deque),
                own("semaphore-queue", items -> Pools.semaphore(new ConcurrentLinkedQueue<>(items), false)),
                own("semaphore-queue-fair", items -> Pools.semaphore(new ConcurrentLinkedQueue<>(items), true)),
                array("array-round-robin", Pools::roundRobin),
                array("array-thread-id", Pools::byThreadId));
    }

    private static Arm commons(String suffix, Consumer<GenericObjectPoolConfig<Item>> change) {
        return Variants.arm(COMMONS + suffix, COMMONS, setup -> {
            List<Item> items = items(setup.condition());
            return Item.arm(Pools.commons(items, change), items, setup.condition());
        });
    }

    private static Arm own(String name, Function<List<Item>, Pool<Item>> pool) {
        return Arm.of(name, setup -> {
            List<Item> items = items(setup.condition());
            return Item.arm(pool.apply(items), items, setup.condition());
        });
    }

    /** Returns an arm whose callers share the items, so that the items count too few uses. */
    private static Arm array(String name, Function<List<Item>, Pool<Item>> pool) {
        return Arm.of(
                name,
                setup -> new PoolArm<>(
                        pool.apply(items(setup.condition())),
                        (item, number) -> item.use(),
                        setup.condition(),
                        uses -> Map.of()));
    }

    private static List<Item> items(Condition condition) {
        return Item.make(condition.number(Condition.MAX, 0));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        int max = profile.poolSize();
        if (size == Size.QUICK) {
            return Plan.quick(Plan.cross(List.of(condition(64, max, "none")), armNames()))
                    .withBatch(BATCH);
        }
        List<Plan.Cell> hundred = Plan.cross(List.of(condition(100, max, "none")), armNames());
        List<Condition> curve = Stream.of(1, 2, 8, 32, 64, 100, 300)
                .map(threads -> condition(threads, max, "none"))
                .toList();
        List<Condition> aside =
                List.of(condition(1, max, "none"), condition(8, max, "none"), condition(100, max, "park-200us"));
        return Plan.of(
                        Plan.all(hundred, Plan.cross(curve, CURVE)),
                        BLOCKS,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))
                .withBatch(BATCH)
                .withProfiles(Plan.all(hundred, Plan.cross(curve, CURVE.subList(0, 1))))
                .withAside(Plan.cross(aside, armNames()), 5);
    }

    private static Condition condition(int threads, int max, String hold) {
        return Condition.ofThreads(threads).with(Condition.MAX, max).with(Hold.PARAMETER, hold);
    }
}
