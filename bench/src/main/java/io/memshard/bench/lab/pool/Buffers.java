// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sources of buffers. A source may make more buffers, and may drop buffers that it gets back. */
final class Buffers {
    private static final int GOLDEN_RATIO = 0x9E3779B9;
    private static final int HALF = 16;
    private static final int MOST_OF_THREAD = 16;

    private Buffers() {}

    /** Returns an evenly distributed hash of the thread, in place of the processor number that Go's pool uses. */
    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    static int probe() {
        int spread = (int) Thread.currentThread().getId() * GOLDEN_RATIO;
        return spread ^ (spread >>> HALF);
    }

    static Pool<Buffer> fresh() {
        return Pool.of(Buffer::new, buffer -> {}, () -> {});
    }

    static Buffer orNew(@Nullable Buffer found) {
        return found == null ? new Buffer() : found;
    }

    static Pool<Buffer> ofThread() {
        ThreadLocal<ArrayDeque<Buffer>> own = ThreadLocal.withInitial(ArrayDeque::new);
        return Pool.of(
                () -> orNew(own.get().pollFirst()),
                buffer -> {
                    if (own.get().size() < MOST_OF_THREAD) {
                        own.get().addFirst(buffer);
                    }
                },
                () -> {});
    }

    /** Returns a source of locked deques for {@code most} buffers each. Their {@code number} is a power of two. */
    static Pool<Buffer> locked(int number, int most) {
        List<ArrayDeque<Buffer>> deques =
                Stream.generate(ArrayDeque<Buffer>::new).limit(number).toList();
        return Pool.of(
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
