// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.List;

/** Comparison of systems. A constructor loads no class of a library, because every process creates all experiments. */
public abstract class Experiment {
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

    public ServerNeed serverFor(String arm, Condition condition) {
        return ServerNeed.NONE;
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

    public enum ServerNeed {
        NONE,
        DEFAULT,
        ONE_WORKER
    }
}
