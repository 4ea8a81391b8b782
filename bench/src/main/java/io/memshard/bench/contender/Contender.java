// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.client.exception.MemcachedTimeoutException;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.OperationTimeoutException;
import org.jspecify.annotations.Nullable;

/** Connected client under test, which all threads use at once. */
public interface Contender extends AutoCloseable {

    byte @Nullable [] get(String key) throws Exception;

    void set(String key, byte[] value) throws Exception;

    /** Returns whether a timeout caused {@code failure}. Pools throw {@link NoSuchElementException} on a timeout. */
    static boolean isTimeout(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof TimeoutException
                || failure instanceof OperationTimeoutException
                || failure instanceof NoSuchElementException
                || failure instanceof SocketTimeoutException
                || failure instanceof MemcachedTimeoutException
                || (cause != null && cause != failure && isTimeout(cause));
    }

    @Override
    void close();

    static Contender of(Get get, Set set, AutoCloseable closer) {
        return new Contender() {
            @Override
            public byte @Nullable [] get(String key) throws Exception {
                return get.of(key);
            }

            @Override
            public void set(String key, byte[] value) throws Exception {
                set.of(key, value);
            }

            @Override
            public void close() {
                try {
                    closer.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    @FunctionalInterface
    interface Get {
        byte @Nullable [] of(String key) throws Exception;
    }

    @FunctionalInterface
    interface Set {
        void of(String key, byte[] value) throws Exception;
    }
}
