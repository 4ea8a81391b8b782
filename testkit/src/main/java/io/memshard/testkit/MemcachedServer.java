// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.net.InetSocketAddress;

/**
 * Memcached server for tests. Implementations are thread-safe. {@link #close()} never throws and may be called more
 * than once.
 */
public interface MemcachedServer extends AutoCloseable {

    /** Returns the host to connect to: a name, a literal address, or the path of a Unix domain socket. */
    String host();

    /** Returns the TCP port to connect to, 1 to 65535; 0 for a Unix domain socket. */
    int port();

    /** Returns a description for people, with the kind of server, the version if known, and the address. */
    String description();

    /** Returns the address to connect to. Resolves the host at each call. */
    default InetSocketAddress address() {
        return new InetSocketAddress(host(), port());
    }

    /** Stops the server if this object started the server. Otherwise the server keeps running. */
    @Override
    void close();
}
