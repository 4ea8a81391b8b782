// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.util.List;

/**
 * One question about systems that do the same thing: its arms, the conditions they run under, and how long.
 *
 * <p>An experiment is listed in {@code Experiments}. It is made in the process that plans and again in every fork. So
 * making one opens nothing and loads no class of a library under test: that is for {@link Arm.Opener#open}.
 *
 * <p>Threading: immutable.
 */
public interface Experiment {

    /** Its name on the command line and in files: lower-case letters, digits and hyphens. */
    String name();

    /** What it asks, in one sentence. */
    String question();

    /** What one cycle is, in the singular: {@code get}, {@code borrow and return}. */
    String unit();

    /**
     * All arms, with different names; the first is the baseline, which is also run a second time as its own A/A arm.
     */
    List<Arm> arms();

    /** What to run. */
    Plan plan(Size size, Profile profile);

    /** The server that the arm of that name needs under {@code condition}; none unless overridden. */
    default ServerNeed serverFor(String arm, Condition condition) {
        return ServerNeed.NONE;
    }

    /** How much is run. */
    enum Size {
        /** To see that everything works: one block and no verdict. */
        QUICK,
        /** Enough forks for a verdict. */
        FULL
    }

    /** The server of a fork. */
    enum ServerNeed {
        /** None is started. */
        NONE,
        /** A memcached with as many workers as it takes by default. */
        DEFAULT,
        /** A memcached with one worker ({@code -t 1}), so that more sockets do not mean more threads of the server. */
        ONE_WORKER,
        /** A Redis in memory only, for systems that are compared with those of memcached. */
        REDIS
    }
}
