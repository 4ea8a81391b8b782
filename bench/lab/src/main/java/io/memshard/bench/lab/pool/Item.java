// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

/**
 * What is pooled: counts its uses without any care for other threads, so uses are lost if two have it at a time.
 *
 * <p>The count is alone on its cache lines: else items that were made one after the other would slow each other down.
 *
 * <p>Threading: confined to the borrower; a pool must hand it over with its memory effects.
 */
final class Item {

    private static final int LONGS = 48;
    private static final int MIDDLE = LONGS / 2;

    private final long[] padded = new long[LONGS];

    /** Uses it once. Returns how often it was used. */
    long use() {
        return ++padded[MIDDLE];
    }

    long uses() {
        return padded[MIDDLE];
    }
}
