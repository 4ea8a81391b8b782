// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** One of memcached's text protocols, as a setting. */
public enum Protocol {
    /**
     * Meta if the server supports it, otherwise classic text. The client finds out when it opens a socket. It uses
     * classic text if the server answers {@code get}, but rejects {@code mn} or repeatedly closes the connection on it.
     * It uses neither with a server that stays silent.
     */
    AUTO,
    /** Meta commands: memcached 1.6 and later, and its own proxy. Other servers are an error. */
    META,
    /**
     * Classic text commands, which every server and proxy supports: older memcached, mcrouter, twemproxy. A command
     * without a classic form fails with a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
     */
    CLASSIC
}
