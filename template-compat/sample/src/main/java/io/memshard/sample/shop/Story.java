// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

/** Stories that the page tells at a click. */
public enum Story {
    /** Callers borrow spymemcached clients of the first server from a Commons Pool. */
    YOUR_POOL,
    /** Callers share a few Memshard connections to the first server. */
    SHARED,
    /** A server of all that Memshard shares stops; if a server is down already, it starts again. */
    KILL
}
