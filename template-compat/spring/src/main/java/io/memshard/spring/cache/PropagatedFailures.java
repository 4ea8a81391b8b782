// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

/** Cache calls whose failures are thrown. The failures of other calls are only counted and logged. */
public enum PropagatedFailures {

    /** None: a failed lookup is a miss, and a failed write is lost. */
    NONE,

    /**
     * Puts, evictions and {@code clear}. A failed lookup is a miss, so readers continue while memcached is down. A put
     * after a failed lookup throws no failure either.
     */
    WRITES,

    /** All calls. */
    ALL
}
