// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One way to reach memcached, opened and ready.
 *
 * <p>Threading: thread-safe; called by all callers of a slice at once.
 *
 * <p>Failure: calls throw what the client under test throws; {@link Failures} tells a timeout from
 * the rest. A caller counts a failure and goes on.
 */
public interface Contender extends AutoCloseable {

    /** The value of {@code key}, owned by the caller; null on a miss. */
    byte @Nullable [] get(String key) throws Exception;

    /**
     * The values of {@code keys} in their order, each as of {@link #get}, by one call of the client.
     *
     * @throws UnsupportedOperationException unless {@link ContenderKind#hasMultiGet()}
     */
    default List<byte @Nullable []> getMany(List<String> keys) throws Exception {
        throw new UnsupportedOperationException("no get of many keys");
    }

    /** Stores {@code value} without an expiry, and waits until the server has it. The array is never changed. */
    void set(String key, byte[] value) throws Exception;

    /**
     * Sends {@code get} and returns at once.
     *
     * @throws UnsupportedOperationException unless {@link ContenderKind#isAsynchronous()}
     */
    default Future<byte @Nullable []> getAsync(String key) throws Exception {
        throw new UnsupportedOperationException("no asynchronous get");
    }

    /** Sends {@code set} and returns at once; as {@link #getAsync} otherwise. */
    default Future<?> setAsync(String key, byte[] value) throws Exception {
        throw new UnsupportedOperationException("no asynchronous set");
    }

    /** The values of {@code keys} in their order; null for those that {@code values} does not have. */
    static List<byte @Nullable []> inOrder(List<String> keys, Map<String, byte[]> values) {
        List<byte @Nullable []> ordered = new ArrayList<>(keys.size());
        for (String key : keys) {
            ordered.add(values.get(key));
        }
        return ordered;
    }

    /** Closes every socket. No call is under way, and none follows. */
    @Override
    void close();
}
