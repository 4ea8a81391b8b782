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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.stream.Stream;

/**
 * Experiment on queues with one lock, with a lock for each end, and without locks. In the pattern {@code pool}, callers
 * take items and put the items back. In the pattern {@code client-drain}, one thread takes all requests at once.
 */
public final class Queues extends Experiment {
    private static final String PATTERN = "pattern";
    private static final List<String> PATTERNS = List.of("pool", "client-drain");
    /** Capacity of bounded queues, as in spymemcached. */
    private static final int CAPACITY = 16_384;

    private static final int BATCH = 16;

    public Queues() {
        super("queues", "element put and taken");
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                arm("linked-blocking-deque", LinkedBlockingDeque::new),
                arm("linked-blocking-queue", LinkedBlockingQueue::new),
                arm("array-blocking-queue", Queues::bounded),
                arm("linked-transfer-queue", LinkedTransferQueue::new));
    }

    @FunctionalInterface
    private interface Maker {
        <T> BlockingQueue<T> make();
    }

    private static <T> BlockingQueue<T> bounded() {
        return new ArrayBlockingQueue<>(CAPACITY);
    }

    private static Arm arm(String name, Maker maker) {
        return Arm.of(name, setup -> open(maker, setup.condition()));
    }

    private static OpenedArm open(Maker maker, Condition condition) {
        if (condition.text(PATTERN, "pool").equals("client-drain")) {
            return new RequestRound(maker.make());
        }
        List<Item> items = Item.make(condition.threads());
        BlockingQueue<Item> queue = maker.make();
        queue.addAll(items);
        return Item.arm(new Pool<>(queue::remove, queue::add, () -> {}), items, condition);
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Plan.Cell> cells = cells(32);
        Plan plan = size == Size.QUICK
                ? Plan.quick(cells)
                : Plan.of(cells, 5, Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .withProfiles(cells)
                        .withAside(cells(1, 8, 100, 300), 5);
        return plan.withBatch(BATCH);
    }

    private List<Plan.Cell> cells(Integer... threads) {
        List<Condition> conditions = Stream.of(threads)
                .flatMap(callers -> PATTERNS.stream()
                        .map(pattern -> Condition.ofThreads(callers).with(PATTERN, pattern)))
                .toList();
        return Plan.cross(conditions, armNames());
    }
}
