// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/**
 * Marks the threads of clients, which may run dependent stages of futures. A client that is closed on such a thread
 * waits for no thread. That thread might be the closing thread itself, or might be waiting for it.
 */
public interface ClientThread {

    /** Returns whether the calling thread belongs to any client. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof ClientThread;
    }
}
