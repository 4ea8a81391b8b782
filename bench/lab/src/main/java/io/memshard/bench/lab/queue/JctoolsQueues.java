// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.queue;

import java.util.Collection;
import java.util.Queue;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/** The queues of JCTools, apart from {@link QueueKind}, which also serves forks without that library. */
final class JctoolsQueues {

    /** Elements in a chunk of the unbounded queue. */
    private static final int CHUNK = 1024;

    private JctoolsQueues() {}

    static <E> Queue<E> mpmcArray(int capacity) {
        return new MpmcArrayQueue<>(capacity);
    }

    static <E> Queue<E> mpscArray(int capacity) {
        return new MpscArrayQueue<>(capacity);
    }

    static <E> Queue<E> mpscUnbounded() {
        return new MpscUnboundedArrayQueue<>(CHUNK);
    }

    static <E> int drain(Queue<E> queue, Collection<E> into) {
        @SuppressWarnings("unchecked")
        MessagePassingQueue<E> passing = (MessagePassingQueue<E>) queue;
        return passing.drain(into::add);
    }
}
