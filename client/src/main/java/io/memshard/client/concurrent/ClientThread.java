// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/**
 * Marker of the threads of clients, which may run dependent stages of futures. A client closed on such a thread does
 * not wait for threads to end. Otherwise the closing thread might wait for itself, or for a thread that waits for the
 * closing thread.
 */
public interface ClientThread {

    /** Returns whether the calling thread belongs to any client. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof ClientThread;
    }
}
