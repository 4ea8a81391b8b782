package io.memshard.client.options;

/** Who does the I/O of a connection. */
public enum Transport {
    /**
     * The caller decides, command by command: a blocking call of a platform thread is caller-driven, an
     * asynchronous one or one of a virtual thread goes over an event loop. Each is a socket of its own, opened
     * when first used; the order of a thread's commands is kept among those of one kind. With TLS everything goes over
     * the event loop.
     */
    AUTO,
    /** A Netty event loop. For asynchronous callers and virtual threads. */
    EVENT_LOOP,
    /** The threads that wait for replies. For blocking callers on platform threads; without TLS. */
    CALLER_DRIVEN
}
