// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.io.IOException;
import java.net.SocketAddress;

/** Opener of links, with one implementation per transport. Threading: thread-safe. */
public interface LinkOpener {

    /** Prepares resources that links share, such as threads, so that no attempt to connect needs time for them. */
    default void prepare() {}

    /** Returns whether the calling thread does the I/O of links, and so must not wait for a reply. */
    default boolean isIoThread() {
        return false;
    }

    /**
     * Connects, with TLS if configured, and blocks until the link is open. If this method throws, no socket stays open.
     * The address is a resolved {@link java.net.InetSocketAddress} or a {@link java.net.UnixDomainSocketAddress}.
     */
    Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException;
}
