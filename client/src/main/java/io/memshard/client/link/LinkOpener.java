// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.io.IOException;
import java.net.SocketAddress;

/** Opens links: one implementation a transport. Threading: thread-safe. */
public interface LinkOpener {

    /** Gets ready what links share, such as threads and native libraries; not on the clock of an attempt. */
    default void prepare() {}

    /**
     * Connects, blocking, with TLS where that is configured.
     *
     * @param address the server, resolved: an {@link java.net.InetSocketAddress} or a {@link
     *     java.net.UnixDomainSocketAddress}
     * @param context whose link it will be, and under which limits
     * @param timeoutNanos how long at most
     * @param listener told when the link fails
     * @throws IOException if there is no connection within the time; no socket is left then
     * @throws InterruptedException if the thread was interrupted; no socket is left then
     */
    Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException;
}
