// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants;
import java.util.List;

/**
 * The systems of {@code pool-cycle} and their settings, each with its reason.
 *
 * <p>All have their items made before the first borrow, and wait for an item without end where they can. Two rows for
 * Commons Pool: as shipped, and with every switch that its documentation offers. The others have no switch that counts
 * here, but for the order of callers.
 *
 * <p>Threading: stateless.
 */
final class PoolSystems {

    private PoolSystems() {}

    /** All; the newest Commons Pool is the baseline. */
    static List<Arm> arms() {
        return List.of(
                of(
                        "commons-pool2-2.13.1",
                        "maxIdle = maxTotal, else as shipped: with 8 idle at most it would make items anew",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.open(max, items)),
                of(
                        "commons-pool2-2.13.1-as-shipped",
                        "as shipped: maxIdle 8",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.asShipped(max, items)),
                of(
                        "commons-pool2-2.13.1-no-statistics",
                        "collectDetailedStatistics=false: three monitors fewer, as its documentation offers for speed",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.withoutStatistics(max, items)),
                of(
                        "commons-pool2-2.13.1-unlimited-idle",
                        "maxIdle=-1: a return does not ask for the size, one lock fewer",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.unlimitedIdle(max, items)),
                of(
                        "commons-pool2-2.13.1-fair",
                        "fairness=true: what the order of callers costs",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.fair(max, items)),
                of(
                        "commons-pool2-2.13.1-fifo",
                        "lifo=false: takes from one end of the deque and puts at the other, under the same lock",
                        "commons-pool2-2.13.1",
                        (max, items) -> CommonsPool2.fifo(max, items)),
                of(
                        "commons-pool2-2.4.2",
                        "maxIdle = maxTotal, else as shipped: the version of 2015",
                        "commons-pool2-2.4.2",
                        (max, items) -> CommonsPool2.open(max, items)),
                of(
                        "commons-pool2-2.0",
                        "maxIdle = maxTotal, else as shipped: the first with LinkedBlockingDeque",
                        "commons-pool2-2.0",
                        (max, items) -> CommonsPool2.open(max, items)),
                commonsPool1("1.3", "one monitor held while an item is made"),
                commonsPool1("1.4", "one monitor, two acquisitions, notifyAll"),
                commonsPool1("1.5.5", "one monitor, four acquisitions, callers in order"),
                commonsPool1("1.6", "one monitor, six acquisitions, callers in order"),
                of(
                        "stormpot-3.2",
                        "a fixed set of items: neither a thread that makes them nor an expiration",
                        "stormpot-3.2",
                        (max, items) -> Stormpot.open(max, items)),
                of(
                        "stormpot-4.1",
                        "a fixed set of items; Java 21 or later",
                        "stormpot-4.1",
                        (max, items) -> Stormpot.open(max, items)),
                of(
                        "vibur-26.0",
                        "ConcurrentLinkedQueueCollection, fair, as Vibur's connection pool has it by default",
                        "vibur-26.0",
                        (max, items) -> Vibur.fair(max, items)),
                of(
                        "vibur-26.0-unfair",
                        "the same, not fair: its documentation offers it for throughput",
                        "vibur-26.0",
                        (max, items) -> Vibur.unfair(max, items)),
                of(
                        "hikari-bag-7.1.0",
                        "ConcurrentBag as HikariCP uses it; it has no settings",
                        "hikari-7.1.0",
                        (max, items) -> HikariBag.open(max, items)),
                of(
                        "hikari-bag-3.4.2",
                        "ConcurrentBag of the version of 2020",
                        "hikari-3.4.2",
                        (max, items) -> HikariBag.open(max, items)),
                own(
                        "linked-blocking-deque",
                        "takeFirst and addFirst: the deque without the pool",
                        true,
                        (max, items) -> BareDeque.open(max, items)),
                own(
                        "semaphore-queue",
                        "Semaphore and ConcurrentLinkedQueue: no lock, callers may overtake",
                        true,
                        (max, items) -> SemaphoreQueue.unfair(max, items)),
                own(
                        "semaphore-queue-fair",
                        "the same, callers in order",
                        true,
                        (max, items) -> SemaphoreQueue.fair(max, items)),
                own(
                        "array-round-robin",
                        "shared items in turn: nobody waits, nothing is returned",
                        false,
                        (max, items) -> SharedArray.roundRobin(max, items)),
                own(
                        "array-thread-id",
                        "shared items, threadId % max: nobody waits, nothing is returned",
                        false,
                        (max, items) -> SharedArray.byThreadId(max, items)));
    }

    private static Arm commonsPool1(String version, String locks) {
        return of(
                "commons-pool-" + version,
                "maxIdle = maxActive, else as shipped: " + locks,
                "commons-pool-" + version,
                (max, items) -> CommonsPool1.open(max, items));
    }

    private static Arm of(String name, String settings, String variant, Pool.Opener opener) {
        return Variants.named(variant).arm(name, settings, setup -> PoolArm.open(opener, true, setup.condition()));
    }

    private static Arm own(String name, String settings, boolean exclusive, Pool.Opener opener) {
        return Arm.of(name, settings, setup -> PoolArm.open(opener, exclusive, setup.condition()));
    }
}
