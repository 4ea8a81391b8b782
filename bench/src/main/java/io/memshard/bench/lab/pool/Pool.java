// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Pool under test. A fork loads one implementation, so calls through this interface are monomorphic.
 *
 * <p>Threading: thread-safe except {@link #close}.
 *
 * @param <T> type of the borrowed object: the item, or the library's wrapper of it
 */
public interface Pool<T> {
    /** Takes an item out of the pool; waits for one if all are out. */
    T borrow() throws Exception;

    /** Returns the item in a borrowed object. */
    default PoolArm.Item item(T borrowed) {
        return (PoolArm.Item) borrowed;
    }

    /** Puts back an object that {@link #borrow} returned. Called once for each borrow. */
    void giveBack(T borrowed) throws Exception;

    /** Closes the pool. No item is out, and none is borrowed afterwards. */
    default void close() throws Exception {}

    /** Returns a pool that forwards to three calls of a library. */
    static <T> Pool<T> of(Callable<T> borrow, Return<T> giveBack, AutoCloseable closer) {
        return of(borrow, PoolArm.Item.class::cast, giveBack, closer);
    }

    /** Returns a pool that forwards to a library that wraps its items; {@code item} unwraps one. */
    static <T> Pool<T> of(
            Callable<T> borrow, Function<T, PoolArm.Item> item, Return<T> giveBack, AutoCloseable closer) {
        return new Pool<>() {
            @Override
            public T borrow() throws Exception {
                return borrow.call();
            }

            @Override
            public PoolArm.Item item(T borrowed) {
                return item.apply(borrowed);
            }

            @Override
            public void giveBack(T borrowed) throws Exception {
                giveBack.to(borrowed);
            }

            @Override
            public void close() throws Exception {
                closer.close();
            }
        };
    }

    /** Call that puts back an object. */
    interface Return<T> {
        void to(T borrowed) throws Exception;
    }

    /** Opener of a pool with {@code max} items, made by {@code items}. All exist before the first borrow. */
    @FunctionalInterface
    interface Opener {
        Pool<?> open(int max, PoolArm.Items items) throws Exception;
    }
}
