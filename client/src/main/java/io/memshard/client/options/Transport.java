// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** Threads that do the I/O of a connection. */
public enum Transport {
    /**
     * The kind of caller decides which threads do the I/O of a command. Blocking calls of platform threads use
     * {@link #CALLER_DRIVEN}. Asynchronous calls and calls of virtual threads use an event loop, on a separate socket.
     * Each of the two sockets is opened on first use, and keeps the order of a thread's commands. With TLS, all
     * commands use the event loop.
     */
    AUTO,
    /** A Netty event loop does the I/O of all callers. This setting suits asynchronous callers and virtual threads. */
    EVENT_LOOP,
    /** The platform thread that waits for a reply does the I/O. Not available with TLS. */
    CALLER_DRIVEN
}
