// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.io.IOException;
import java.net.SocketAddress;

/** Opener of links, with one implementation per transport. Threading: thread-safe. */
public interface LinkOpener extends AutoCloseable {

    /** Loads resources that all links share, before the timeout of an attempt to connect begins. */
    default void prepare() {}

    /** Returns whether the calling thread does the I/O of links, and so must not wait for a reply. */
    default boolean isIoThread() {
        return false;
    }

    /** Blocks until the link is open, with TLS if configured. If this method throws, no socket stays open. */
    Link open(SocketAddress address, LinkContext context, long timeoutNanos, Link.Listener listener)
            throws IOException, InterruptedException;

    @Override
    default void close() {}
}
