// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.pool.PoolArm.Item;
import io.memshard.bench.lab.pool.PoolArm.Items;
import io.memshard.bench.lab.variant.Variants;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * Experiment on costs: the cost of a borrow and a return, and the waits for locks in each pool as the number of threads
 * grows.
 *
 * <p>Without a hold callers only borrow and return, which shows a pool at its worst. With a park of 200 microseconds an
 * item is out for the time that a memcached takes to answer, and callers wait because all items are out. The two
 * conditions together separate waits for locks from waits for items.
 *
 * <p>All pools have their items before the first borrow, and wait for an item without a time limit where they can.
 * Commons Pool has a row as shipped, and one for each switch that its documentation offers. The other pools have no
 * switch that matters here, except the order of callers.
 */
public final class PoolCycle extends Experiment {
    /** Systems whose size and hold are swept; the others run at the size of the profile. */
    private static final List<String> SWEPT = List.of(
            "commons-pool2-2.13.1", "hikari-bag-7.1.0", "semaphore-queue", "linked-blocking-deque", "array-thread-id");

    private static final List<Integer> SIZES = List.of(8, 20, 100);
    /**
     * Arms that run with every number of threads. A claim is about the curve of the first arm; the second arm shows the
     * waits in a pool without locks.
     */
    private static final List<String> CURVE = List.of("commons-pool2-2.13.1", "semaphore-queue");

    private static final List<Integer> THREADS = List.of(1, 2, 8, 32, 64, 100, 300);
    private static final int BLOCKS = 5;
    /**
     * Number of cycles timed together. A cycle may take less than a microsecond, so two time stamps for each would be
     * most of the measurement.
     */
    private static final int BATCH = 16;

    /** Makes the experiment. */
    public PoolCycle() {
        super("pool-cycle", "borrow and return");
    }

    /** Returns all arms; the newest Commons Pool is the baseline. */
    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        // Without statistics, which exist since 2.13, a cycle needs three monitors fewer. With -1 a return does not ask
        // the deque for its size.
        arms.add(pool2("", "maxIdle = maxTotal, else as shipped", config -> {}));
        arms.add(pool2("-as-shipped", "maxIdle 8", config -> config.setMaxIdle(8)));
        arms.add(pool2("-no-statistics", "for speed", config -> config.setCollectDetailedStatistics(false)));
        arms.add(pool2("-unlimited-idle", "maxIdle=-1: one lock fewer", config -> config.setMaxIdle(-1)));
        arms.add(pool2("-fair", "fairness=true", config -> config.setFairness(true)));
        arms.add(pool2("-fifo", "the item that has been idle longest first", config -> config.setLifo(false)));
        Pool.Opener pool2 = (max, items) -> pool2(max, items, config -> {});
        arms.add(of("commons-pool2-2.4.2", "the version of 2015", "commons-pool2-2.4.2", pool2));
        arms.add(of("commons-pool2-2.0", "the first with LinkedBlockingDeque", "commons-pool2-2.0", pool2));
        arms.add(pool1("1.3", "one monitor held while an item is made"));
        arms.add(pool1("1.4", "one monitor, two acquisitions, notifyAll"));
        arms.add(pool1("1.5.5", "one monitor, four acquisitions, callers in order"));
        arms.add(pool1("1.6", "one monitor, six acquisitions, callers in order"));
        Pool.Opener stormpot = (max, items) -> Stormpot.open(max, items);
        arms.add(of("stormpot-3.2", "a fixed set of items, which no thread makes", "stormpot-3.2", stormpot));
        arms.add(of("stormpot-4.1", "the same; Java 21 or later", "stormpot-4.1", stormpot));
        arms.add(of("vibur-26.0", "fair", "vibur-26.0", (max, items) -> Vibur.open(max, items, true)));
        arms.add(of("vibur-26.0-unfair", "not fair", "vibur-26.0", (max, items) -> Vibur.open(max, items, false)));
        Pool.Opener hikari = (max, items) -> HikariBag.open(max, items);
        arms.add(of("hikari-bag-7.1.0", "ConcurrentBag as HikariCP uses it", "hikari-7.1.0", hikari));
        arms.add(of("hikari-bag-3.4.2", "the version of 2020", "hikari-3.4.2", hikari));
        arms.add(own("linked-blocking-deque", "the deque without the pool", true, JdkPools::deque));
        arms.add(own("semaphore-queue", "no lock", true, (max, items) -> JdkPools.semaphore(max, items, false)));
        arms.add(own("semaphore-queue-fair", "in order", true, (max, items) -> JdkPools.semaphore(max, items, true)));
        arms.add(own("array-round-robin", "shared items in turn: nothing is returned", false, JdkPools::roundRobin));
        arms.add(own("array-thread-id", "shared items, threadId % max", false, JdkPools::byThreadId));
        return arms;
    }

    private static Arm pool2(String suffix, String settings, Consumer<GenericObjectPoolConfig<Item>> change) {
        String variant = "commons-pool2-2.13.1";
        return of(variant + suffix, settings, variant, (max, items) -> pool2(max, items, change));
    }

    static Pool<Item> pool2(int max, Items items, Consumer<GenericObjectPoolConfig<Item>> change) throws Exception {
        return CommonsPool2.filled(CommonsPool2.open(max, items::make, item -> {}, change), max);
    }

    private static Arm pool1(String version, String locks) {
        String variant = "commons-pool-" + version;
        return of(variant, locks, variant, (max, items) -> CommonsPool1.open(max, items));
    }

    private static Arm of(String name, String settings, String variant, Pool.Opener opener) {
        return Variants.arm(name, settings, variant, setup -> PoolArm.open(opener, true, setup.condition()));
    }

    private static Arm own(String name, String settings, boolean exclusive, Pool.Opener opener) {
        return Arm.of(name, settings, setup -> PoolArm.open(opener, exclusive, setup.condition()));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        int usual = profile.poolSize();
        if (size == Size.QUICK) {
            return Plan.quick(Plan.cross(List.of(condition(64, usual, "none")), armNames()))
                    .withBatch(BATCH);
        }
        List<Plan.Cell> hundred = Plan.cross(List.of(condition(100, usual, "none")), armNames());
        List<Condition> curve = THREADS.stream()
                .map(threads -> condition(threads, usual, "none"))
                .toList();
        return Plan.of(
                        Plan.all(hundred, Plan.cross(curve, CURVE)),
                        BLOCKS,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))
                .withBatch(BATCH)
                .withProfiles(Plan.all(hundred, Plan.cross(curve, CURVE.subList(0, 1))))
                .withAside(aside(usual), 5);
    }

    private List<Plan.Cell> aside(int usual) {
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(
                List.of(condition(1, usual, "none"), condition(8, usual, "none"), condition(100, usual, "park-200us")),
                armNames()));
        for (int max : SIZES) {
            cells.addAll(Plan.cross(List.of(condition(64, max, "none"), condition(64, max, "park-200us")), SWEPT));
        }
        cells.addAll(Plan.cross(List.of(condition(64, usual, "spin-1us"), condition(64, usual, "spin-20us")), SWEPT));
        return cells;
    }

    private static Condition condition(int threads, int max, String hold) {
        return Condition.ofThreads(threads).with(PoolArm.MAX, max).with(Hold.PARAMETER, hold);
    }
}
