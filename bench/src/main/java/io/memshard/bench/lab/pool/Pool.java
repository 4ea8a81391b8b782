// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;

/** Pool under test. All methods except {@link #close} are thread-safe. */
public interface Pool<T> {
    /** Takes an object out of the pool, and waits while all objects are borrowed. */
    T borrow() throws Exception;

    void giveBack(T borrowed) throws Exception;

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
