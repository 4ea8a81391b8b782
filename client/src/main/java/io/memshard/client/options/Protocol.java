// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** Which of memcached's text protocols a client uses with a server. */
public enum Protocol {
    /**
     * Meta if the server has it, else classic text. The client finds out when it opens a socket. It uses classic text
     * if the server rejects {@code mn}, or closes the connection on it again and again, and answers {@code get}. It
     * uses neither with a server that stays silent.
     */
    AUTO,
    /** The meta commands: memcached 1.6 and later, and its own proxy. Other servers are an error. */
    META,
    /**
     * The classic text commands, which every server and proxy has: older memcached, mcrouter, twemproxy. A command
     * without a classic form fails with a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
     */
    CLASSIC
}
