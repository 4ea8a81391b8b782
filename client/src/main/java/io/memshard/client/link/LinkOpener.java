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
     * Connects, with TLS if configured, and blocks until the link is open.
     *
     * @param address the server, resolved: an {@link java.net.InetSocketAddress} or a {@link
     *     java.net.UnixDomainSocketAddress}
     * @param context the owner and the limits of the link
     * @param timeoutNanos the longest time to connect
     * @param listener the listener that is notified when the link fails
     * @throws IOException if the connection does not succeed in time; no socket is left open
     * @throws InterruptedException if the thread was interrupted; no socket is left open
     */
    Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException;
}
