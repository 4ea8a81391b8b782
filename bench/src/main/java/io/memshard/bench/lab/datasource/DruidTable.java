// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Experiment on whether a table of 2012, in which Druid compares pools of connections, still holds. */
public final class DruidTable extends Experiment {
    /** Systems under comparison, the baseline first. IronJacamar replaces a JBoss pool that is not public. */
    private static final String SYSTEMS = """
            druid-0.2.9-equal | druid | druid-0.2.9 | testOnBorrow=false testWhileIdle=false
            druid-1.2.28-equal | druid | druid-1.2.28 | testOnBorrow=false testWhileIdle=false
            dbcp-1.4-shipped | dbcp1 | dbcp-1.4-pool-1.5.4 |
            bonecp-0.7.1-as-in-2012|bonecp|bonecp-0.7.1|serviceOrder=LIFO statementsCacheSize=100 acquireIncrement=5
            c3p0-0.9.1.2-shipped | c3p0 | c3p0-0.9.1.2 |
            proxool-0.9.1-shipped | proxool | proxool-0.9.1 |
            tomcat-jdbc-7.0.33-shipped | tomcat | tomcat-jdbc-7.0.33 |
            ironjacamar-1.4.35-shipped | jacamar | ironjacamar-1.4.35 | fair=true
            hikari-7.1.0-shipped | hikari | hikari-7.1.0 |
            """;

    private static final Libraries.Sizes OF_THE_TABLE = new Libraries.Sizes(10, 50);
    private static final List<String> OPENERS = List.of("bonecp-0.7.1-as-in-2012", "c3p0-0.9.1.2-shipped");

    public DruidTable() {
        super("druid-table", "connection got and closed");
    }

    @Override
    public List<Arm> arms() {
        return Libraries.arms(SYSTEMS, condition -> OF_THE_TABLE);
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        Condition hundred = condition(100, SourceArm.CYCLE);
        Condition selecting = condition(100, SourceArm.SELECT);
        if (size == Size.QUICK) {
            return Plan.quick(Plan.cross(List.of(condition(20, SourceArm.CYCLE), selecting), armNames()));
        }
        List<Plan.Cell> cells = Plan.cross(List.of(hundred), armNames());
        List<Condition> aside = Stream.concat(
                        Stream.of(1, 2, 5, 10, 20, 50, 100).map(threads -> condition(threads, SourceArm.CYCLE)),
                        Stream.of(selecting))
                .toList();
        return Plan.of(
                        Plan.all(cells, Plan.cross(List.of(condition(10, SourceArm.CYCLE)), OPENERS)),
                        5,
                        Duration.ofMillis(800),
                        Duration.ofSeconds(1))
                .withProfiles(cells)
                .withAside(Plan.cross(aside, armNames()), 5);
    }

    private static Condition condition(int threads, String body) {
        return Condition.ofThreads(threads).with(SourceArm.BODY, body);
    }
}
