// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.sharding.ConnectionChooser;

/** Choosers of a server's connection for each command: those of {@link ConnectionChooser}, by name. */
public enum ChooserType {
    /** Takes the connections in turn. */
    ROUND_ROBIN,
    /** Assigns each thread the next connection in turn; the thread stays on it. */
    STICKY_ROUND_ROBIN,
    /** Takes the thread's id modulo the number of connections. */
    THREAD_AFFINITY,
    /** Takes the thread's mixed id modulo the number of connections. */
    MIXED_THREAD_AFFINITY,
    /** Draws two connections at random, and takes the one with fewer commands in flight. */
    LEAST_IN_FLIGHT;

    /** Returns a chooser of this type. */
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
