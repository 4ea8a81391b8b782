// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.util.concurrent.Callable;

/** Pool under test. All methods except {@link #close} are thread-safe. */
public record Pool<T>(Callable<T> borrower, Return<T> returner, AutoCloseable closer) {

    public interface Return<T> {
        void to(T borrowed) throws Exception;
    }

    /** Takes an object out of the pool, and waits while all objects are borrowed. */
    public T borrow() throws Exception {
        return borrower.call();
    }

    public void giveBack(T borrowed) throws Exception {
        returner.to(borrowed);
    }

    public void close() throws Exception {
        closer.close();
    }
}
