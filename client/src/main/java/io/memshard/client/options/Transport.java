// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** Which threads do the I/O of a connection. */
public enum Transport {
    /**
     * Depends on the caller of each command. A blocking call of a platform thread is caller-driven. An asynchronous
     * call, and a call of a virtual thread, goes over an event loop. Each kind has its own socket, opened when it is
     * first used. The order of a thread's commands is kept within one kind. With TLS everything goes over the event
     * loop.
     */
    AUTO,
    /** A Netty event loop. For asynchronous callers and virtual threads. */
    EVENT_LOOP,
    /** The threads that wait for replies. For blocking callers on platform threads; without TLS. */
    CALLER_DRIVEN
}
