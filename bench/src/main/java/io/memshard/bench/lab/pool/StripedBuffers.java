// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Pool that works as Go's {@code sync.Pool}, but a hash of the thread selects the stripe of slots. With {@link #aging},
 * the second garbage collection drops an idle buffer.
 *
 * <p>Memory effects: the compare-and-set that fills a slot happens before the compare-and-set that empties the slot.
 */
final class StripedBuffers {

    static final int SLOTS = 8;

    /** Number of references between the starts of two stripes, so that stripes share no cache line. */
    static final int PADDED_STRIDE = 64;

    private static final Cleaner COLLECTIONS = Cleaner.create();

    private final int stripes = stripesHere();
    private final int stride;
    private volatile AtomicReferenceArray<@Nullable Buffer> current;
    private volatile @Nullable AtomicReferenceArray<@Nullable Buffer> victims;
    private volatile boolean closed;

    StripedBuffers(int stride) {
        this.stride = stride;
        this.current = empty();
    }

    static StripedBuffers aging() {
        StripedBuffers buffers = new StripedBuffers(PADDED_STRIDE);
        buffers.ageWithTheNextCollection();
        return buffers;
    }

    private static int stripesHere() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Integer.highestOneBit(Math.max(1, 2 * processors - 1));
    }

    private AtomicReferenceArray<@Nullable Buffer> empty() {
        return new AtomicReferenceArray<>((stripes + 2) * stride);
    }

    Pool<Buffer> pool() {
        return new Pool<>(this::borrow, this::giveBack, () -> closed = true);
    }

    Buffer borrow() {
        AtomicReferenceArray<@Nullable Buffer> slots = current;
        int own = Buffers.probe();
        for (int i = 0; i < stripes; i++) {
            Buffer found = take(slots, own + i);
            if (found != null) {
                return found;
            }
        }
        AtomicReferenceArray<@Nullable Buffer> old = victims;
        Buffer found = old == null ? null : take(old, own);
        return Buffers.orNew(found);
    }

    private @Nullable Buffer take(AtomicReferenceArray<@Nullable Buffer> slots, int stripe) {
        int first = first(stripe);
        for (int i = first; i < first + SLOTS; i++) {
            Buffer there = slots.getPlain(i);
            if (there != null && slots.compareAndSet(i, there, null)) {
                return there;
            }
        }
        return null;
    }

    void giveBack(Buffer buffer) {
        AtomicReferenceArray<@Nullable Buffer> slots = current;
        int first = first(Buffers.probe());
        for (int i = first; i < first + SLOTS; i++) {
            if (slots.getPlain(i) == null && slots.compareAndSet(i, null, buffer)) {
                return;
            }
        }
    }

    /** Returns the first slot. The unused stripe at the start keeps other data off the cache lines of stripe 0. */
    private int first(int stripe) {
        return ((stripe & (stripes - 1)) + 1) * stride;
    }

    void age() {
        victims = current;
        current = empty();
    }

    private void ageWithTheNextCollection() {
        COLLECTIONS.register(new Object(), () -> {
            if (!closed) {
                age();
                ageWithTheNextCollection();
            }
        });
    }
}
