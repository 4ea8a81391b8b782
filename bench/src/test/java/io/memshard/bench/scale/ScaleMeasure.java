// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

/** Measure of a client with a number of servers. */
public enum ScaleMeasure {

    /** Sockets, as the servers count them. */
    SOCKETS,
    /** Threads of the client when it has nothing to do. */
    THREADS,
    /** Heap that the client keeps, in bytes. */
    HEAP_BYTES,
    /** Memory outside of the heap that it keeps, in bytes: buffers of the JDK and of Netty. */
    DIRECT_BYTES,

    /** Time that one thread waits for one get, in microseconds. */
    GET_US,
    /** CPU time of that thread, in microseconds. */
    GET_CPU_US,
    /** Bytes that a get allocates on that thread. */
    GET_BYTES
}
