// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

/** Demonstrations that the page runs at a click. */
public enum Story {
    /** Callers borrow spymemcached clients from a Commons Pool. All clients use the first server. */
    YOUR_POOL,
    /** Callers share a few Memshard connections to the first server. */
    SHARED,
    /** Stops a server while callers share Memshard connections. If servers are down already, starts them instead. */
    KILL
}
