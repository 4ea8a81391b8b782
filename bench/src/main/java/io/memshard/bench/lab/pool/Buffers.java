// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools of buffers. A pool without an idle buffer creates one, and a full pool drops a returned buffer. */
final class Buffers {
    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;
    private static final int MOST_OF_THREAD = 16;

    private Buffers() {}

    /** Returns an evenly distributed hash of the thread. Go's pool uses the number of the processor instead. */
    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    static int probe() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }

    static Buffer orNew(@Nullable Buffer found) {
        return found == null ? new Buffer() : found;
    }

    static Pool<Buffer> ofThread() {
        ThreadLocal<ArrayDeque<Buffer>> own = ThreadLocal.withInitial(ArrayDeque::new);
        return new Pool<>(
                () -> orNew(own.get().pollFirst()),
                buffer -> {
                    if (own.get().size() < MOST_OF_THREAD) {
                        own.get().addFirst(buffer);
                    }
                },
                () -> {});
    }

    /** Returns a pool of {@code number} deques (a power of two), each with a lock and up to {@code most} buffers. */
    static Pool<Buffer> locked(int number, int most) {
        List<ArrayDeque<Buffer>> deques =
                Stream.generate(ArrayDeque<Buffer>::new).limit(number).toList();
        return new Pool<>(
                () -> {
                    ArrayDeque<Buffer> idle = deques.get(probe() & (number - 1));
                    Buffer found;
                    synchronized (idle) {
                        found = idle.pollFirst();
                    }
                    return orNew(found);
                },
                buffer -> {
                    ArrayDeque<Buffer> idle = deques.get(probe() & (number - 1));
                    synchronized (idle) {
                        if (idle.size() < most) {
                            idle.addFirst(buffer);
                        }
                    }
                },
                () -> {});
    }
}
