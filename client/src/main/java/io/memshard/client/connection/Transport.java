package io.memshard.client.connection;

/** Who does the I/O of a connection. */
public enum Transport {
    /** A Netty event loop. For asynchronous callers and virtual threads. */
    EVENT_LOOP
}
