// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.List;

/**
 * One question about systems that do the same thing: its arms, the conditions they run under, and how long they run.
 *
 * <p>{@code Experiments} lists all experiments. The process that plans and every fork create the experiments. A
 * constructor therefore opens nothing, and loads no class of a library under test; {@link Arm.Opener#open} does both.
 * Threading: immutable.
 */
public abstract class Experiment {
    private final String name;
    private final String unit;

    /**
     * Creates an experiment.
     *
     * @param name name on the command line and in files: lower-case letters, digits and hyphens
     * @param unit name of one cycle, in the singular: {@code get}, {@code borrow and return}
     */
    protected Experiment(String name, String unit) {
        this.name = name;
        this.unit = unit;
    }

    /** Returns the name on the command line and in files. */
    public final String name() {
        return name;
    }

    /** Returns the name of one cycle, in the singular. */
    public final String unit() {
        return unit;
    }

    /**
     * Returns all arms, with different names. The first is the baseline, which runs a second time as its own A/A arm.
     */
    public abstract List<Arm> arms();

    /** Returns the plan of a run of {@code size} for a machine of {@code profile}. */
    public abstract Plan plan(Size size, Profile profile);

    /** Returns the server that {@code arm} needs under {@code condition}; by default none. */
    public ServerNeed serverFor(String arm, Condition condition) {
        return ServerNeed.NONE;
    }

    /** Returns the names of all arms, in their order. */
    public final List<String> armNames() {
        return arms().stream().map(Arm::name).toList();
    }

    /**
     * Returns the arm of that name.
     *
     * @throws IllegalArgumentException if no arm has that name
     */
    public Arm arm(String arm) {
        return arms().stream()
                .filter(each -> each.name().equals(arm))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " has no arm \"" + arm + "\""));
    }

    /** Amount of work in a run. */
    public enum Size {
        /** One block that only shows that everything works; no verdict. */
        QUICK,
        /** Enough forks for a verdict. */
        FULL
    }

    /** Kind of server that a fork needs. */
    public enum ServerNeed {
        /** No server is started. */
        NONE,
        /** Memcached with its default number of workers. */
        DEFAULT,
        /** A memcached with one worker ({@code -t 1}), so that more sockets do not mean more threads of the server. */
        ONE_WORKER
    }
}
