// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.variant.Variants;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * Queue under test: its maker, whether several threads may take from it, and whether it can give many elements in one
 * call.
 *
 * <p>Bounded queues have the capacity of spymemcached's (16,384), so none is ever full.
 *
 * <p>Threading: immutable.
 *
 * @param name name of the queue's arm
 * @param settings locks of the queue, in a phrase
 * @param variant variant with the queue's library; empty for a queue of the JDK
 * @param manyConsumers whether several threads may take from it
 * @param drains whether it can give many elements in one call
 * @param maker supplier of an empty queue
 */
record QueueKind(
        String name,
        String settings,
        String variant,
        boolean manyConsumers,
        boolean drains,
        Supplier<Queue<Object>> maker) {
    /** Number of elements in a bounded queue: more than there are callers, so that an offer never fails. */
    static final int CAPACITY = 16_384;
    /** Number of elements in a chunk of an unbounded queue. */
    private static final int CHUNK = 1024;

    private static final String JCTOOLS = "jctools-4.0.7";

    /** Returns all kinds; the deque of Commons Pool is the baseline. */
    static List<QueueKind> all() {
        return List.of(
                jdk("linked-blocking-deque", "one lock for both ends", true, LinkedBlockingDeque::new),
                jdk("linked-blocking-queue", "a lock for each end", true, LinkedBlockingQueue::new),
                jdk("array-blocking-queue", "one lock; spymemcached's", true, () -> new ArrayBlockingQueue<>(CAPACITY)),
                jdk("array-blocking-queue-fair", "in order", true, () -> new ArrayBlockingQueue<>(CAPACITY, true)),
                jdk("concurrent-linked-queue", "no lock", false, ConcurrentLinkedQueue::new),
                jdk("concurrent-linked-deque", "no lock, two links", false, ConcurrentLinkedDeque::new),
                jdk("linked-transfer-queue", "no lock; BoneCP's if not LIFO", true, LinkedTransferQueue::new),
                jctools("jctools-mpmc-array", true, () -> new MpmcArrayQueue<>(CAPACITY)),
                jctools("jctools-mpsc-array", false, () -> new MpscArrayQueue<>(CAPACITY)),
                jctools("jctools-mpsc-unbounded", false, () -> new MpscUnboundedArrayQueue<>(CHUNK)));
    }

    private static QueueKind jdk(String name, String settings, boolean drains, Supplier<Queue<Object>> maker) {
        return new QueueKind(name, settings, "", true, drains, maker);
    }

    private static QueueKind jctools(String name, boolean manyConsumers, Supplier<Queue<Object>> maker) {
        return new QueueKind(name, "no lock", JCTOOLS, manyConsumers, true, maker);
    }

    /** Moves all elements of {@code queue} into {@code into}, in one call. Returns the number of elements. */
    static int drain(Queue<Object> queue, Collection<Object> into) {
        return queue instanceof BlockingQueue<Object> blocking ? blocking.drainTo(into) : drainJctools(queue, into);
    }

    @SuppressWarnings("unchecked")
    private static int drainJctools(Queue<Object> queue, Collection<Object> into) {
        return ((MessagePassingQueue<Object>) queue).drain(into::add);
    }

    /** Returns the arm of this queue, for the pattern that the condition names. */
    Arm arm() {
        return variant.isEmpty()
                ? Arm.of(name, settings, setup -> open(setup.condition()))
                : Variants.arm(name, settings, variant, setup -> open(setup.condition()));
    }

    /** Opens this queue for the pattern, the threads and the rest of {@code condition}. */
    OpenedArm open(Condition condition) {
        Pattern pattern = Pattern.of(condition);
        if (!pattern.suits(this)) {
            throw new IllegalArgumentException(name + " cannot be used as " + pattern.label());
        }
        return pattern == Pattern.POOL
                ? new TokenRound(maker.get(), condition.threads())
                : new RequestRound(maker.get(), pattern == Pattern.CLIENT_DRAIN, condition.threads());
    }

    /** Ways to use a queue. */
    enum Pattern {
        /** Use of a pool: each caller polls a token and offers it again. */
        POOL,
        /** Use of a client: callers offer a request and wait; one thread takes all that exist, in one call. */
        CLIENT_DRAIN,
        /** Use of a client: callers offer a request and wait; one thread takes one request in each call. */
        CLIENT_POLL;

        /** Parameter with the {@link #label}. */
        static final String PARAMETER = "pattern";

        /** Returns the name in a condition. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns whether {@code kind} can be used in this way. */
        boolean suits(QueueKind kind) {
            return this == POOL ? kind.manyConsumers : this != CLIENT_DRAIN || kind.drains;
        }

        /** Returns the pattern that {@code condition} names. */
        static Pattern of(Condition condition) {
            String label = condition.text(PARAMETER, POOL.label());
            return Stream.of(values())
                    .filter(pattern -> pattern.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "a pattern must be pool, client-drain or client-poll, not \"" + label + "\""));
        }
    }
}
