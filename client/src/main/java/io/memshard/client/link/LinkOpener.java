// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.io.IOException;
import java.net.SocketAddress;

/** Opener of links, with one implementation per transport. Threading: thread-safe. */
public interface LinkOpener {

    /** Prepares resources shared by links, such as threads and native libraries, outside the timeout of an attempt. */
    default void prepare() {}

    /** Returns whether the calling thread does the I/O of links, and so must not wait for a reply on a link. */
    default boolean isIoThread() {
        return false;
    }

    /**
     * Connects, with TLS if configured, and blocks until the link is open. Leaves no socket open if it throws. The
     * address is resolved: an {@link java.net.InetSocketAddress} or a {@link java.net.UnixDomainSocketAddress}.
     */
    Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException;
}
