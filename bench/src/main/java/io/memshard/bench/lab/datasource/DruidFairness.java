// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;

/** Experiment on Druid with a fair and an unfair lock, which compares throughput, longest wait and fairness. */
public final class DruidFairness extends Experiment {
    /** Pools under comparison. Before Druid 1.1.21, a lock is fair or unfair depending on the order of two setters. */
    private static final String SYSTEMS = """
            druid-1.1.20 | druid | druid-1.1.20 |
            druid-1.1.20-max-wait | druid | druid-1.1.20 | maxWait=60000L
            druid-1.1.20-max-wait-then-unfair | druid | druid-1.1.20 | maxWait=60000L useUnfairLock=true
            druid-1.1.20-unfair-then-max-wait | druid | druid-1.1.20 | useUnfairLock=true maxWait=60000L
            druid-1.2.28 | druid | druid-1.2.28 | maxWait=60000L
            druid-1.2.28-fair | druid | druid-1.2.28 | maxWait=60000L useUnfairLock=false
            hikari-3.4.2 | hikari | hikari-3.4.2 |
            hikari-7.1.0 | hikari | hikari-7.1.0 |
            tomcat-jdbc-11.0.25 | tomcat | tomcat-jdbc-11.0.25 |
            tomcat-jdbc-11.0.25-unfair | tomcat | tomcat-jdbc-11.0.25 | fairQueue=false
            ironjacamar-1.4.35 | jacamar | ironjacamar-1.4.35 | fair=true
            ironjacamar-1.4.35-unfair | jacamar | ironjacamar-1.4.35 | fair=false
            """;

    private static final int RATE = 3000;

    public DruidFairness() {
        super("druid-fairness", "connection got and closed");
    }

    @Override
    public List<Arm> arms() {
        return Libraries.arms(SYSTEMS, condition -> {
            int max = condition.number(Condition.MAX, 20);
            return new Libraries.Sizes(max, max);
        });
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        Condition parked = condition(300, 20, "park-200us");
        Condition open = condition(100, 20, "park-1000us").with(Condition.RATE, RATE);
        if (size == Size.QUICK) {
            return Plan.of(
                    Plan.cross(List.of(parked, open), armNames()), 1, Duration.ofMillis(300), Duration.ofMillis(700));
        }
        List<Condition> aside = List.of(
                condition(8, 20, "park-200us"),
                condition(100, 20, "park-200us"),
                condition(300, 20, "none"),
                condition(300, 20, "park-1000us"),
                condition(300, 50, "park-200us"),
                open);
        List<Plan.Cell> cells = Plan.cross(List.of(parked), armNames());
        return Plan.of(cells, 5, Duration.ofSeconds(1), Duration.ofSeconds(2))
                .withProfiles(cells)
                .withAside(Plan.cross(aside, armNames()), 3);
    }

    private static Condition condition(int threads, int max, String hold) {
        return Condition.ofThreads(threads).with(Condition.MAX, max).with(Hold.PARAMETER, hold);
    }
}
