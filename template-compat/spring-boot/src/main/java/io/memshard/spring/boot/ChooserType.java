// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import io.memshard.sharding.ConnectionChooser;

/** Which connection of a server takes a command: the choosers of {@link ConnectionChooser} by name. */
public enum ChooserType {
    /** Each connection in its turn. */
    ROUND_ROBIN,
    /** Each thread is given the next connection in turn, and stays on it. */
    STICKY_ROUND_ROBIN,
    /** The connection at the thread's id modulo their number. */
    THREAD_AFFINITY,
    /** The same over a mixed id. */
    MIXED_THREAD_AFFINITY,
    /** Of two connections drawn at random, the one with fewer commands in flight. */
    LEAST_IN_FLIGHT;

    /** A chooser of this type. */
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
