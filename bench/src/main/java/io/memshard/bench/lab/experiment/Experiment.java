// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.List;

/** Comparison of systems. A constructor loads no class of a library, because every process creates all experiments. */
public abstract class Experiment {
    /** Default number of worker threads of memcached. */
    public static final int WORKERS = 4;

    private final String name;
    private final String unit;

    protected Experiment(String name, String unit) {
        this.name = name;
        this.unit = unit;
    }

    public final String name() {
        return name;
    }

    public final String unit() {
        return unit;
    }

    /** Returns all systems, the baseline first. The baseline runs twice, which shows the noise of the measurement. */
    public abstract List<Arm> arms();

    public abstract Plan plan(Size size, Profile profile);

    /** Returns the number of worker threads that the server needs; 0 if there is no server. */
    public int workersFor(Condition condition) {
        return 0;
    }

    public final List<String> armNames() {
        return arms().stream().map(Arm::name).toList();
    }

    public Arm arm(String arm) {
        return arms().stream()
                .filter(each -> each.name().equals(arm))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("experiment " + name + " has no arm \"" + arm + "\""));
    }

    public enum Size {
        QUICK,
        FULL
    }
}
