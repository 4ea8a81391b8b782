// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.net.InetSocketAddress;

/**
 * A memcached server that answers on a TCP address, whether this JVM started it or not.
 *
 * <p>{@code Threading}: implementations are thread-safe. {@code Failure}: {@link #close()} never throws and may be
 * called more than once.
 */
public interface MemcachedServer extends AutoCloseable {

    /** The host to connect to, a name or a literal address. */
    String host();

    /** The TCP port to connect to, 1 to 65535. */
    int port();

    /** What this server is, for people: kind, version where known, address. */
    String description();

    /** Host and port, resolved at each call. */
    default InetSocketAddress address() {
        return new InetSocketAddress(host(), port());
    }

    /** Ends the server if this object started it; a server that ran before goes on. */
    @Override
    void close();
}
