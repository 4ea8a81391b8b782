// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.util.Locale;

/**
 * Kind of host in the benchmarks article that this project reproduces, with the size of its pool, its processors and
 * its memory.
 */
public enum Profile {
    /** A small host: a pool of 20, at most four processors, 2 GiB for the client. */
    CLOUD(20, 4, 2048),
    /** A large host: a pool of 100, every processor, 8 GiB for the client. */
    PHYSICAL(100, Integer.MAX_VALUE, 8192);

    private final int poolSize;
    private final int mostCpus;
    private final int megabytes;

    Profile(int poolSize, int mostCpus, int megabytes) {
        this.poolSize = poolSize;
        this.mostCpus = mostCpus;
        this.megabytes = megabytes;
    }

    /** Returns the maximum number of clients or connections in a pool. */
    public int poolSize() {
        return poolSize;
    }

    /** Returns the maximum number of processors that client and server may use together. */
    public int mostCpus() {
        return mostCpus;
    }

    /** Returns the memory of the client in MiB, heap and everything else, for a container that limits it. */
    public int megabytes() {
        return megabytes;
    }

    /** Returns the name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
