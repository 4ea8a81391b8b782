// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import java.util.Queue;

/** One queue of all threads, of whatever kind; what does not fit goes. */
final class QueueBuffers implements Buffers {

    private final int size;
    private final Queue<Buffer> idle;

    QueueBuffers(int size, Queue<Buffer> idle) {
        this.size = size;
        this.idle = idle;
    }

    @Override
    public Buffer get() {
        return Buffers.orNew(idle.poll(), size);
    }

    @Override
    public void put(Buffer buffer) {
        idle.offer(buffer);
    }
}
