// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

/** Calls of a cache whose failures are thrown. All others are counted and logged. */
public enum PropagatedFailures {

    /** None: a failed lookup is a miss, and a failed write is lost. */
    NONE,

    /**
     * Puts, evictions and {@code clear}. A failed lookup is a miss. So no eviction is lost unnoticed, and a cache that
     * is down stops no reader, whose put after a failed lookup is not thrown either.
     */
    WRITES,

    /** All calls. */
    ALL
}
