// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.client.exception.MemcachedTimeoutException;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.OperationTimeoutException;
import org.jspecify.annotations.Nullable;

/** Connected client under test, which all threads use at once. */
public record Contender(Get getter, Set setter, AutoCloseable closer) implements AutoCloseable {

    @FunctionalInterface
    public interface Get {
        byte @Nullable [] of(String key) throws Exception;
    }

    @FunctionalInterface
    public interface Set {
        void of(String key, byte[] value) throws Exception;
    }

    byte @Nullable [] get(String key) throws Exception {
        return getter.of(key);
    }

    void set(String key, byte[] value) throws Exception {
        setter.of(key, value);
    }

    @Override
    public void close() {
        try {
            closer.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether a timeout caused {@code failure}. Pools throw {@link NoSuchElementException} on a timeout. */
    public static boolean isTimeout(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof TimeoutException
                || failure instanceof OperationTimeoutException
                || failure instanceof NoSuchElementException
                || failure instanceof SocketTimeoutException
                || failure instanceof MemcachedTimeoutException
                || (cause != null && cause != failure && isTimeout(cause));
    }
}
