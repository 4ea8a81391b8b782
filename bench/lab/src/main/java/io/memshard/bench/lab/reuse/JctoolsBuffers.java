// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import org.jctools.queues.MpmcArrayQueue;

/** The ring of JCTools for many producers and consumers. */
final class JctoolsBuffers {

    private JctoolsBuffers() {}

    static Buffers open(int size, int most) {
        return new QueueBuffers(size, new MpmcArrayQueue<>(most));
    }
}
