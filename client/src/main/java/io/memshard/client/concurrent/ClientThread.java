// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

/** Marker of a client's own threads, on which {@code close} does not wait, to avoid a deadlock. */
public interface ClientThread {

    static boolean isCurrent() {
        return Thread.currentThread() instanceof ClientThread;
    }
}
