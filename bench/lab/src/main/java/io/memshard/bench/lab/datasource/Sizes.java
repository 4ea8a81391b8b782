// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

/**
 * Connections of a pool.
 *
 * @param initial opened when the pool is opened
 * @param min kept open
 * @param max open at a time
 */
record Sizes(int initial, int min, int max) {

    /** Those of Druid's own test. */
    static final Sizes OF_THE_TABLE = new Sizes(10, 10, 50);

    /** All connections open from the beginning to the end. */
    static Sizes fixed(int max) {
        return new Sizes(max, max, max);
    }
}
