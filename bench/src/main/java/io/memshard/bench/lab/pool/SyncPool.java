// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.pool.Buffers.Locked;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Experiment on reuse: whether a reused object is cheaper than a new one, and whether a shared pool of objects
 * collapses with 100 callers.
 *
 * <p>The source is an article on Go's {@code sync.Pool}. The article's Go code runs separately, as printed and in a
 * corrected form: see {@code bench/go}.
 */
public final class SyncPool extends Experiment {
    /** Number of cycles timed together. A cycle takes tens of nanoseconds. */
    private static final int BATCH = 64;

    /** Makes the experiment. */
    public SyncPool() {
        super("sync-pool", "buffer got and put back");
    }

    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        arms.add(arm("new", "a new buffer each time", (size, most) -> Buffers.fresh(size)));
        arms.add(arm("thread-local", "16 at most a thread", (size, most) -> new Buffers.OfThread(size)));
        arms.add(arm("locked-deque", "one deque, one monitor", (size, most) -> new Locked(size, 1, most)));
        for (int shards : List.of(4, 16, 64)) {
            arms.add(arm("sharded-locks-" + shards, "deques", (size, most) -> new Locked(size, shards, most)));
        }
        arms.add(arm(
                "array-blocking-queue",
                "one lock, bounded",
                (size, most) -> Buffers.queued(size, new ArrayBlockingQueue<>(most))));
        arms.add(arm(
                "concurrent-linked-queue",
                "no lock, unbounded: may keep more than is needed",
                (size, most) -> Buffers.queued(size, new ConcurrentLinkedQueue<>())));
        arms.add(arm("striped", "8 slots a processor, stealing", (size, most) -> StripedBuffers.padded(size)));
        arms.add(arm("striped-unpadded", "false sharing", (size, most) -> StripedBuffers.unpadded(size)));
        // An idle buffer is dropped by the second garbage collection: the arm closest to sync.Pool.
        arms.add(arm("striped-victim", "with victims", (size, most) -> StripedBuffers.aging(size)));
        return arms;
    }

    private static Arm arm(String name, String settings, ReuseArm.Opener opener) {
        return Arm.of(name, settings, setup -> new ReuseArm(opener, setup.condition()));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        Condition one = Condition.ofThreads(1);
        Condition eight = Condition.ofThreads(8);
        Condition hundred = Condition.ofThreads(100);
        if (size == Size.QUICK) {
            return Plan.quick(Plan.cross(List.of(hundred, eight.with(ReuseArm.HANDOVER, "yes")), armNames()))
                    .withBatch(BATCH);
        }
        List<Condition> aside = List.of(
                eight,
                one.with(ReuseArm.CLEAR, "yes"),
                eight.with(ReuseArm.HANDOVER, "yes"),
                hundred.with(ReuseArm.HANDOVER, "yes"),
                one.with(ReuseArm.SIZE, 65_536));
        return Plan.of(
                        Plan.all(
                                Plan.cross(List.of(one, hundred), armNames()),
                                Plan.cross(List.of(Condition.ofThreads(2), eight), List.of("locked-deque"))),
                        5,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))
                .withBatch(BATCH)
                .withProfiles(Plan.cross(List.of(hundred), armNames()))
                .withAside(Plan.cross(aside, armNames()), 3);
    }
}
