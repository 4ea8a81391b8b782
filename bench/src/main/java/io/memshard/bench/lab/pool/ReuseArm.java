// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Callers that get a buffer, use it and put it back, or hand it to a neighbouring caller, which puts it back.
 *
 * <p>The buffer always escapes, because each caller keeps the last one in a field or puts it into the exchange.
 * Otherwise the compiler would remove the allocation, which is what the Go code of the article measured.
 */
final class ReuseArm implements OpenedArm {

    /** Parameter with the size of a buffer in bytes, a power of two. */
    static final String SIZE = "size";

    /** Parameter: {@code yes} if every byte is set to 0 before use, as in a new buffer. */
    static final String CLEAR = "clear";

    /** Parameter: {@code yes} if the thread that puts back a buffer differs from the one that got it. */
    static final String HANDOVER = "handover";

    private static final int DEFAULT_SIZE = 1024;
    /** Number of buffers in a bounded pool for each caller: one in use and one in exchange. */
    private static final int FOR_EACH_CALLER = 2;

    /**
     * Distance, in references, between two places of exchange, so that pairs of callers do not slow each other down.
     */
    private static final int STRIDE = 64;

    private final Pool<Buffer> buffers;
    private final boolean clears;
    private final boolean handsOver;
    private final AtomicReferenceArray<@Nullable Buffer> exchange;

    ReuseArm(Opener opener, Condition condition) throws Exception {
        int size = condition.number(SIZE, DEFAULT_SIZE);
        if (Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("the size of a buffer must be a power of two, not " + size);
        }
        this.buffers = opener.open(size, FOR_EACH_CALLER * condition.threads());
        this.clears = condition.text(CLEAR, "no").equals("yes");
        this.handsOver = condition.text(HANDOVER, "no").equals("yes");
        this.exchange = new AtomicReferenceArray<>((condition.threads() / 2 + 2) * STRIDE);
    }

    /**
     * Opener of a source whose buffers have {@code size} bytes, a power of two. Callers hold up to {@code most} at a
     * time.
     */
    @FunctionalInterface
    interface Opener {
        Pool<Buffer> open(int size, int most) throws Exception;
    }

    @Override
    public Cycle cycle(int caller) {
        return handsOver ? new HandingOver((caller / 2 + 1) * STRIDE) : new Keeping();
    }

    @Override
    public void close() throws Exception {
        buffers.close();
    }

    private final class Keeping implements Cycle {

        private @Nullable Buffer last;

        @Override
        public long run(long number) throws Exception {
            Buffer buffer = buffers.borrow();
            last = buffer;
            int read = buffer.use(number, clears);
            buffer.free();
            buffers.giveBack(buffer);
            return read;
        }

        @Override
        public String toString() {
            return last == null ? "none yet" : "one";
        }
    }

    private final class HandingOver implements Cycle {

        private final int place;

        HandingOver(int place) {
            this.place = place;
        }

        @Override
        public long run(long number) throws Exception {
            Buffer buffer = buffers.borrow();
            int read = buffer.use(number, clears);
            buffer.free();
            Buffer handed = exchange.getAndSet(place, buffer);
            if (handed != null) {
                buffers.giveBack(handed);
            }
            return read;
        }
    }
}
