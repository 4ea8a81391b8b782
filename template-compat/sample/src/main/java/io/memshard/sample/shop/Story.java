// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

/** Demonstrations that the page runs at a click. */
public enum Story {
    /** Callers borrow spymemcached clients of the first server from a Commons Pool. */
    YOUR_POOL,
    /** Callers share a few Memshard connections to the first server. */
    SHARED,
    /** One server stops while callers share Memshard connections, or all stopped servers start again. */
    KILL
}
