// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.queue;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.variant.Variants;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;

/**
 * A queue under test: how it is made, who may take from it, and how it gives many at a time.
 *
 * <p>Bounded queues have the capacity of spymemcached's (16,384), so none is ever full.
 *
 * <p>Threading: immutable.
 *
 * @param name of its arm
 * @param settings what locks it has
 * @param variant with its library; empty for the JDK's
 * @param manyConsumers whether several threads may take from it
 * @param drains whether it can give many elements in one call
 * @param maker makes an empty one
 */
record QueueKind(String name, String settings, String variant, boolean manyConsumers, boolean drains, Maker maker) {

    /** Elements in a bounded queue: more than there are callers, so that an offer never fails. */
    static final int CAPACITY = 16_384;

    private static final String JCTOOLS = "jctools-4.0.7";

    /** Makes a queue. */
    @FunctionalInterface
    interface Maker {

        <E> Queue<E> make();
    }

    /** All; the deque of Commons Pool is the baseline. */
    static List<QueueKind> all() {
        return List.of(
                jdk("linked-blocking-deque", "one lock for both ends; the deque of Commons Pool 2", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new LinkedBlockingDeque<>();
                    }
                }),
                jdk("linked-blocking-queue", "a lock for each end", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new LinkedBlockingQueue<>();
                    }
                }),
                jdk("array-blocking-queue", "one lock; the queue of spymemcached as shipped", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new ArrayBlockingQueue<>(CAPACITY);
                    }
                }),
                jdk("array-blocking-queue-fair", "one lock, given in the order of asking", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new ArrayBlockingQueue<>(CAPACITY, true);
                    }
                }),
                lockFree("concurrent-linked-queue", "no lock, a node an element", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new ConcurrentLinkedQueue<>();
                    }
                }),
                lockFree("concurrent-linked-deque", "no lock, a node with two links an element", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new ConcurrentLinkedDeque<>();
                    }
                }),
                jdk("linked-transfer-queue", "no lock; BoneCP's choice when it is not LIFO", new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return new LinkedTransferQueue<>();
                    }
                }),
                new QueueKind(
                        "jctools-mpmc-array", "no lock, a ring; many consumers", JCTOOLS, true, true, new Maker() {
                            @Override
                            public <E> Queue<E> make() {
                                return JctoolsQueues.mpmcArray(CAPACITY);
                            }
                        }),
                new QueueKind("jctools-mpsc-array", "no lock, a ring; one consumer", JCTOOLS, false, true, new Maker() {
                    @Override
                    public <E> Queue<E> make() {
                        return JctoolsQueues.mpscArray(CAPACITY);
                    }
                }),
                new QueueKind(
                        "jctools-mpsc-unbounded",
                        "no lock, linked chunks; one consumer",
                        JCTOOLS,
                        false,
                        true,
                        new Maker() {
                            @Override
                            public <E> Queue<E> make() {
                                return JctoolsQueues.mpscUnbounded();
                            }
                        }));
    }

    private static QueueKind jdk(String name, String settings, Maker maker) {
        return new QueueKind(name, settings, "", true, true, maker);
    }

    private static QueueKind lockFree(String name, String settings, Maker maker) {
        return new QueueKind(name, settings, "", true, false, maker);
    }

    /** Moves what {@code queue} has into {@code into}, in one call. Returns how many there were. */
    static <E> int drain(Queue<E> queue, Collection<E> into) {
        return queue instanceof BlockingQueue<E> blocking ? blocking.drainTo(into) : JctoolsQueues.drain(queue, into);
    }

    /** The arm of this queue, for the pattern that the condition names. */
    Arm arm() {
        Arm.Opener opener = setup -> QueuePattern.open(this, setup.condition());
        return variant.isEmpty()
                ? Arm.of(name, settings, opener)
                : Variants.named(variant).arm(name, settings, opener);
    }
}
