// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;

/** Pool under test, thread-safe except {@link #close}. A fork loads one implementation, so calls are monomorphic. */
public interface Pool<T> {
    /** Takes an object out of the pool, and waits while all objects are out. */
    T borrow() throws Exception;

    void giveBack(T borrowed) throws Exception;

    /** Closes the pool, after the last object was returned. */
    default void close() throws Exception {}

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

    interface Return<T> {
        void to(T borrowed) throws Exception;
    }
}
