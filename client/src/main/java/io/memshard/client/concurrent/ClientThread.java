// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/**
 * Marker of the threads of clients, which may run dependent stages of futures. A client that is closed on such a thread
 * does not wait for other threads, because one of them might wait for the closing thread.
 */
public interface ClientThread {

    static boolean isCurrent() {
        return Thread.currentThread() instanceof ClientThread;
    }
}
