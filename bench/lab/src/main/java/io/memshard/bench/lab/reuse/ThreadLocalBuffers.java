// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.reuse;

import java.util.ArrayDeque;

/** A stack of each thread; what another thread puts stays with that thread. */
final class ThreadLocalBuffers implements Buffers {

    /** More than a caller holds at a time; what is put beyond it goes. */
    private static final int MOST = 16;

    private final int size;
    private final ThreadLocal<ArrayDeque<Buffer>> own = ThreadLocal.withInitial(() -> new ArrayDeque<>(MOST));

    ThreadLocalBuffers(int size) {
        this.size = size;
    }

    @Override
    public Buffer get() {
        return Buffers.orNew(own.get().pollFirst(), size);
    }

    @Override
    public void put(Buffer buffer) {
        ArrayDeque<Buffer> stack = own.get();
        if (stack.size() < MOST) {
            stack.addFirst(buffer);
        }
    }
}
