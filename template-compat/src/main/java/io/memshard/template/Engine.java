// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

/** Client library that connects to the servers. */
public enum Engine {
    /** Memshard's own client, which has pipelined connections and speaks the meta protocol. */
    MEMSHARD,
    /** spymemcached 2.12, for comparison and migration. Needs {@code net.spy:spymemcached} on the class path. */
    SPYMEMCACHED
}
