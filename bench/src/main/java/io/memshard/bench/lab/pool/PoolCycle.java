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

/**
 * Experiment on costs: the cost of a borrow and a return, and the waits for locks in each pool as the number of threads
 * grows.
 *
 * <p>Without a hold callers only borrow and return, which shows a pool at its worst. With a park of 200 microseconds an
 * item is out for as long as a memcached takes to reply, and callers wait because all items are out. The two conditions
 * together separate waits for locks from waits for items.
 *
 * <p>All pools have their items before the first borrow, and wait for an item without a time limit.
 */
public final class PoolCycle extends Experiment {
    private static final String COMMONS = "commons-pool2-2.13.1";
    /**
     * Arms that run with every number of threads. The first arm has the curve that a claim is about; the second shows
     * the waits in a pool without locks.
     */
    private static final List<String> CURVE = List.of(COMMONS, "semaphore-queue");

    private static final int BLOCKS = 5;
    /**
     * Number of cycles timed together. A cycle may take less than a microsecond, so two time stamps for each cycle
     * would dominate the measurement.
     */
    private static final int BATCH = 16;

    /** Creates the experiment. */
    public PoolCycle() {
        super("pool-cycle", "borrow and return");
    }

    /** Returns all arms; the newest Commons Pool is the baseline. */
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

    /** Returns an arm whose callers share the items, so that uses are lost by design. */
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
