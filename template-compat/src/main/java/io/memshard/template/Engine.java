// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** The client library that talks to the server. */
public enum Engine {
    /** This project's client: pipelined connections, meta protocol. */
    MEMSHARD,
    /**
     * spymemcached 2.12, for comparison and for migration; needs {@code net.spy:spymemcached} on the
     * class path.
     */
    SPYMEMCACHED
}
