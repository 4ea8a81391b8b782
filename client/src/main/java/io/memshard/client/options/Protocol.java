// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** Text protocol of memcached that a client uses. */
public enum Protocol {
    /**
     * Meta commands if the server supports them, otherwise classic text commands. On each new socket, the client first
     * sends {@code mg} and {@code mn}. The client uses classic text if the server does not answer like memcached
     * 1.6.10, or repeatedly closes the connection after these commands. If the server does not answer, the attempt to
     * connect fails.
     */
    AUTO,
    /**
     * Meta commands, which require memcached 1.6.10 or later, or memcached's own proxy. An attempt to connect fails if
     * the server does not answer {@code mn}.
     */
    META,
    /**
     * Classic text commands, which every server and every proxy (such as mcrouter and twemproxy) supports. A command
     * without a classic form fails with a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
     */
    CLASSIC
}
