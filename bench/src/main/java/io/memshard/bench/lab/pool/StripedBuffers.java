// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Equivalent of Go's {@code sync.Pool}, as far as a JVM can have it: a stripe of slots for each processor, borrows from
 * other stripes, and victims that the next collection drops.
 *
 * <p>A JVM cannot pin a thread to a processor. So a hash of the thread selects its stripe, and the thread uses the
 * first slot there that it can take or fill by compare-and-set. A borrow tries the thread's stripe, then the other
 * stripes, and then the victims of the thread's stripe. A put drops the buffer if the thread's stripe is full.
 *
 * <p>In {@link #aging} stripes, each garbage collection makes the idle buffers victims and drops the former victims. So
 * a buffer that no borrow takes during two collections is dropped. A {@link Cleaner} detects each collection by an
 * unreachable object, and then registers a new one.
 *
 * <p>Memory effects: the compare-and-set that fills a slot happens before the one that empties it.
 */
final class StripedBuffers implements Pool<Buffer> {

    /** Number of slots in a stripe. */
    static final int SLOTS = 8;

    /**
     * Distance in references between the starts of two padded stripes: 64 references of 4 bytes fill two pairs of cache
     * lines.
     */
    private static final int PADDED_STRIDE = 64;

    private static final Cleaner COLLECTIONS = Cleaner.create();

    private final int stripes = stripesHere();
    private final int stride;
    private volatile AtomicReferenceArray<@Nullable Buffer> current;
    private volatile @Nullable AtomicReferenceArray<@Nullable Buffer> victims;
    private volatile boolean closed;

    private StripedBuffers(int stride) {
        this.stride = stride;
        this.current = empty();
    }

    /** Creates stripes that share no cache line. They have no victims. */
    static StripedBuffers padded() {
        return new StripedBuffers(PADDED_STRIDE);
    }

    /** Creates adjacent stripes, so that neighbours share cache lines. They have no victims. */
    static StripedBuffers unpadded() {
        return new StripedBuffers(SLOTS);
    }

    /** Creates padded stripes that drop a buffer that stays idle during two garbage collections. */
    static StripedBuffers aging() {
        StripedBuffers buffers = padded();
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

    @Override
    public Buffer borrow() {
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

    @Override
    public void giveBack(Buffer buffer) {
        AtomicReferenceArray<@Nullable Buffer> slots = current;
        int first = first(Buffers.probe());
        for (int i = first; i < first + SLOTS; i++) {
            if (slots.getPlain(i) == null && slots.compareAndSet(i, null, buffer)) {
                return;
            }
        }
    }

    /**
     * Returns the index of the first slot of {@code stripe}. The length of one stripe stays unused before stripe 0, so
     * that no other data share its cache lines.
     */
    private int first(int stripe) {
        return ((stripe & (stripes - 1)) + 1) * stride;
    }

    /** Makes idle buffers victims, and drops the former victims. */
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

    @Override
    public void close() {
        closed = true;
    }
}
