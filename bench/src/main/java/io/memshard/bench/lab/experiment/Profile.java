// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.Locale;

/** Kind of machine on which a reproduced article measured its systems. */
public enum Profile {
    CLOUD(20, 4),
    PHYSICAL(100, Integer.MAX_VALUE);

    private final int poolSize;
    private final int mostCpus;

    Profile(int poolSize, int mostCpus) {
        this.poolSize = poolSize;
        this.mostCpus = mostCpus;
    }

    public int poolSize() {
        return poolSize;
    }

    public int mostCpus() {
        return mostCpus;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
