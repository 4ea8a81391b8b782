// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.web;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.variant.Variants;
import io.memshard.bench.lab.web.PageServer.Connector;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Experiment on a cause: OpenCms began to serve up to 2.9 times as many pages after it had removed a monitor, and had
 * changed to a newer pool. The experiment shows which of the two changes was the reason.
 *
 * <p>OpenCms made both changes at once. So each change runs alone here, and DBCP and Pool change separately. OpenCms
 * itself, its Tomcat and its JDK 5 are not part of the experiment. Callers keep their HTTP connections; the load tool
 * of the measurement in 2011 did not.
 */
public final class OpenCms extends Experiment {

    private static final String OLD = "DBCP 1.2.2, Pool 1.3";
    private static final String NEW = "DBCP 1.4, Pool 1.5.5";

    private static final Function<String, Connector> SYNCHRONIZED = Connector::synchronizedOne;
    private static final Function<String, Connector> UNSYNCHRONIZED = Connector::unsynchronized;

    /** Makes the experiment. */
    public OpenCms() {
        super("opencms", "page");
    }

    /**
     * Returns the arms. All have 25 connections, open from the beginning and never validated; the lab chose that
     * number.
     */
    @Override
    public List<Arm> arms() {
        return List.of(
                arm("synchronized-old", SYNCHRONIZED, OLD, "web-dbcp-1.2.2-pool-1.3"),
                arm("unsynchronized-old", UNSYNCHRONIZED, OLD, "web-dbcp-1.2.2-pool-1.3"),
                arm("synchronized-new", SYNCHRONIZED, NEW, "web-dbcp-1.4-pool-1.5.5"),
                arm("unsynchronized-new", UNSYNCHRONIZED, NEW, "web-dbcp-1.4-pool-1.5.5"),
                arm("unsynchronized-new-pool", UNSYNCHRONIZED, "DBCP 1.2.2, Pool 1.5.5", "web-dbcp-1.2.2-pool-1.5.5"),
                arm("unsynchronized-new-dbcp", UNSYNCHRONIZED, "DBCP 1.4, Pool 1.3", "web-dbcp-1.4-pool-1.3"),
                arm("synchronized-newest", SYNCHRONIZED, "DBCP 2.14.0, Pool 2.13.1", "web-dbcp2-2.14.0"),
                arm("unsynchronized-newest", UNSYNCHRONIZED, "DBCP 2.14.0, Pool 2.13.1", "web-dbcp2-2.14.0"));
    }

    private static Arm arm(String name, Function<String, Connector> manager, String libraries, String variant) {
        String monitor = name.startsWith("synchronized") ? "one monitor around getting a connection" : "no monitor";
        return Variants.arm(name, monitor + "; " + libraries, variant, setup -> new PageArm(manager));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Condition> hundred = List.of(Condition.ofThreads(100));
        List<Condition> fourHundred = List.of(Condition.ofThreads(400));
        if (size == Size.QUICK) {
            return Plan.of(Plan.cross(hundred, armNames()), 1, Duration.ofMillis(700), Duration.ofSeconds(1));
        }
        // With three seconds of warm-up nearly all arms got faster while they were measured.
        List<Plan.Cell> profiled = Plan.cross(fourHundred, armNames());
        return Plan.of(
                        Plan.all(Plan.cross(hundred, armNames()), profiled),
                        6,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(3))
                .withFixedCycles(2000)
                .withProfiles(profiled);
    }
}
