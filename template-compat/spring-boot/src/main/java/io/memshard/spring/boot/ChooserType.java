// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.sharding.ConnectionChooser;

/** Choosers of a server's connection for each command: those of {@link ConnectionChooser}, by name. */
public enum ChooserType {
    /** Connections in turn. */
    ROUND_ROBIN,
    /** Next connection in turn for each new thread, which then keeps that connection. */
    STICKY_ROUND_ROBIN,
    /** Connection whose index is the thread's id modulo the number of connections. */
    THREAD_AFFINITY,
    /** Connection whose index is the thread's id, with its bits mixed, modulo the number of connections. */
    MIXED_THREAD_AFFINITY,
    /** Connection with fewer commands in flight, of two that are drawn at random. */
    LEAST_IN_FLIGHT;

    ConnectionChooser newChooser() {
        return switch (this) {
            case ROUND_ROBIN -> ConnectionChooser.roundRobin();
            case STICKY_ROUND_ROBIN -> ConnectionChooser.stickyRoundRobin();
            case THREAD_AFFINITY -> ConnectionChooser.threadAffinity();
            case MIXED_THREAD_AFFINITY -> ConnectionChooser.mixedThreadAffinity();
            case LEAST_IN_FLIGHT -> ConnectionChooser.leastInFlight();
        };
    }
}
