// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;

/**
 * Pool under test. A fork loads one implementation, so calls through this interface are monomorphic.
 *
 * <p>Threading: thread-safe except {@link #close}.
 *
 * @param <T> type of the borrowed object
 */
public interface Pool<T> {
    /** Takes an object out of the pool; waits for one if all are out. */
    T borrow() throws Exception;

    /** Puts back an object that {@link #borrow} returned. Called once for each borrow. */
    void giveBack(T borrowed) throws Exception;

    /** Closes the pool. No object is out, and none is borrowed afterwards. */
    default void close() throws Exception {}

    /** Returns a pool that forwards its calls to three functions. */
    static <T> Pool<T> of(Callable<T> borrow, Return<T> giveBack, AutoCloseable closer) {
        return new Pool<>() {
            @Override
            public T borrow() throws Exception {
                return borrow.call();
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

    /** Function that puts back an object. */
    interface Return<T> {
        void to(T borrowed) throws Exception;
    }
}
