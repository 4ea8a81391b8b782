// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

/**
 * A pool under test. A fork loads one implementation, so calls through this interface are monomorphic.
 *
 * <p>Threading: thread-safe but for {@link #close}.
 *
 * @param <T> what is borrowed: the item, or what the library wraps it in
 */
interface Pool<T> {

    /** Takes an item out of the pool; waits for one if all are out. */
    T borrow() throws Exception;

    /** The item in what was borrowed. */
    Item item(T borrowed);

    /** Puts back what {@link #borrow} gave, once. */
    void giveBack(T borrowed) throws Exception;

    /** Closes it; no item is out, and none is asked for after. */
    void close() throws Exception;

    /** Opens a pool with {@code max} items, made by {@code items}; all are there before the first borrow. */
    @FunctionalInterface
    interface Opener {

        Pool<?> open(int max, Items items) throws Exception;
    }
}
