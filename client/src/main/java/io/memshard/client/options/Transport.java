// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** Threads that do the I/O of a connection. */
public enum Transport {
    /**
     * Choice by the kind of caller of each command. A blocking call of a platform thread is caller-driven. An
     * asynchronous call, and a call of a virtual thread, uses an event loop. Caller-driven commands and commands on the
     * event loop have separate sockets, each opened on first use. The order of a thread's commands is kept on each
     * socket. With TLS, all commands use the event loop.
     */
    AUTO,
    /** Netty event loop, for asynchronous callers and virtual threads. */
    EVENT_LOOP,
    /** Threads of blocking callers: a platform thread that waits for a reply does the I/O. Not available with TLS. */
    CALLER_DRIVEN
}
