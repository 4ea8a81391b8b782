// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.net.InetSocketAddress;

/**
 * Memcached server that answers on a TCP address, whether or not this JVM started it.
 *
 * <p>Threading: implementations are thread-safe. Failure: {@link #close()} never throws and may be
 * called more than once.
 */
public interface MemcachedServer extends AutoCloseable {

    /** Returns the host to connect to, a name or a literal address. */
    String host();

    /** Returns the TCP port to connect to, 1 to 65535. */
    int port();

    /** Returns a description for people: kind, version if known, address. */
    String description();

    /** Returns host and port, resolved at each call. */
    default InetSocketAddress address() {
        return new InetSocketAddress(host(), port());
    }

    /** Stops the server if this object started it; a server that ran before keeps running. */
    @Override
    void close();
}
