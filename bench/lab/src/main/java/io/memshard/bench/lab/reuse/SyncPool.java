// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.variant.Variants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Is an object that is used again cheaper than a new one, and does a shared pool of objects collapse with 100 callers?
 *
 * <p>The source is an article on Go's {@code sync.Pool}. Its own Go code runs apart, as printed and corrected: see
 * {@code bench/go}.
 */
public final class SyncPool implements Experiment {

    /** Buffers in a bounded pool for each caller: one in hand, and one in exchange. */
    private static final int FOR_EACH_CALLER = 2;

    /** A cycle takes tens of nanoseconds. */
    private static final int BATCH = 64;

    private static final int BLOCKS = 5;

    @Override
    public String name() {
        return "sync-pool";
    }

    @Override
    public String question() {
        return "Is an object that is used again cheaper than a new one, and does a shared pool of objects collapse with"
                + " 100 callers?";
    }

    @Override
    public String unit() {
        return "buffer got and put back";
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                arm("new", "a new buffer each time", (size, callers) -> new NewBuffers(size)),
                arm("thread-local", "16 at most a thread", (size, callers) -> new ThreadLocalBuffers(size)),
                arm(
                        "locked-deque",
                        "one ArrayDeque under one monitor",
                        (size, callers) -> new LockedBuffers(size, 1, FOR_EACH_CALLER * callers)),
                arm("sharded-locks-4", "4 deques, a monitor each", (size, callers) -> sharded(size, callers, 4)),
                arm("sharded-locks-16", "16 deques, a monitor each", (size, callers) -> sharded(size, callers, 16)),
                arm("sharded-locks-64", "64 deques, a monitor each", (size, callers) -> sharded(size, callers, 64)),
                arm(
                        "array-blocking-queue",
                        "one lock, bounded",
                        (size, callers) -> new QueueBuffers(size, new ArrayBlockingQueue<>(FOR_EACH_CALLER * callers))),
                arm(
                        "concurrent-linked-queue",
                        "no lock, unbounded: may keep more than is needed",
                        (size, callers) -> new QueueBuffers(size, new ConcurrentLinkedQueue<>())),
                arm(
                        "striped",
                        "a stripe of 8 slots a processor, stealing; stripes share no cache line",
                        (size, callers) -> StripedBuffers.padded(size)),
                arm(
                        "striped-unpadded",
                        "the same, stripes side by side: false sharing",
                        (size, callers) -> StripedBuffers.unpadded(size)),
                arm(
                        "striped-victim",
                        "the same with victims that go with the second collection: nearest to sync.Pool",
                        (size, callers) -> StripedBuffers.aging(size)),
                arm(
                        "netty-recycler",
                        "as shipped: callers are no FastThreadLocalThreads",
                        (size, callers) -> new RecycledBuffers(size)),
                arm(
                        "commons-pool2-2.13.1",
                        "maxIdle = maxTotal, else as shipped: a pool of connections used for objects",
                        (size, callers) -> new CommonsPoolBuffers(size, FOR_EACH_CALLER * callers)),
                ofVariant(
                        "jctools-mpmc",
                        "a ring for many producers and consumers, bounded",
                        "jctools-4.0.7",
                        (size, callers) -> JctoolsBuffers.open(size, Math.max(2, FOR_EACH_CALLER * callers))),
                ofVariant(
                        "stormpot-3.2",
                        "a fixed set, as many as callers hold at most",
                        "stormpot-3.2",
                        (size, callers) -> StormpotBuffers.open(size, FOR_EACH_CALLER * callers)),
                ofVariant(
                        "stormpot-4.1",
                        "the same; Java 21 or later",
                        "stormpot-4.1",
                        (size, callers) -> StormpotBuffers.open(size, FOR_EACH_CALLER * callers)));
    }

    private static Buffers sharded(int size, int callers, int number) {
        return new LockedBuffers(size, number, FOR_EACH_CALLER * callers);
    }

    private static Arm arm(String name, String settings, Buffers.Opener opener) {
        return Arm.of(name, settings, setup -> ReuseArm.open(opener, setup.condition()));
    }

    private static Arm ofVariant(String name, String settings, String variant, Buffers.Opener opener) {
        return Variants.named(variant).arm(name, settings, setup -> ReuseArm.open(opener, setup.condition()));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<String> all = arms().stream().map(Arm::name).toList();
        Condition hundred = Condition.ofThreads(100);
        if (size == Size.QUICK) {
            List<Condition> conditions = List.of(hundred, Condition.ofThreads(8).with(ReuseArm.HANDOVER, "yes"));
            return new Plan(
                    Plan.cross(conditions, all),
                    1,
                    Duration.ofMillis(300),
                    Duration.ofMillis(500),
                    0,
                    BATCH,
                    List.of());
        }
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(List.of(Condition.ofThreads(1), hundred), all));
        cells.addAll(Plan.cross(List.of(Condition.ofThreads(2), Condition.ofThreads(8)), List.of("locked-deque")));
        return new Plan(
                        cells,
                        BLOCKS,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        0,
                        BATCH,
                        Plan.cross(List.of(hundred), all))
                .withAside(Plan.cross(aside(), all), 3);
    }

    private static List<Condition> aside() {
        return List.of(
                Condition.ofThreads(8),
                Condition.ofThreads(1).with(ReuseArm.CLEAR, "yes"),
                Condition.ofThreads(8).with(ReuseArm.HANDOVER, "yes"),
                Condition.ofThreads(100).with(ReuseArm.HANDOVER, "yes"),
                Condition.ofThreads(1).with(ReuseArm.SIZE, 65_536));
    }
}
