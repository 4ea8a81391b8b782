// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import java.util.Map;
import net.spy.memcached.MemcachedClient;

/**
 * Where a caller gets a client for one call: the only thing in which the causal arms differ.
 *
 * <p>Threading: thread-safe.
 */
interface ClientPool extends AutoCloseable {

    /** A client for one call, after as long a wait as that takes. */
    MemcachedClient borrow(int caller) throws Exception;

    /** Takes it back. */
    void giveBack(MemcachedClient client) throws Exception;

    /** What the pool knows of itself. */
    default Map<String, Double> figures() {
        return Map.of();
    }

    @Override
    void close();
}
