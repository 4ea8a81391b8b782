// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/**
 * Marks the threads of clients, which may run what depends on futures. A client that is closed on such a thread waits
 * for no thread: it might be the closing thread itself, or another that waits for it.
 */
public interface ClientThread {

    /** Whether the calling thread belongs to a client, whichever. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof ClientThread;
    }
}
