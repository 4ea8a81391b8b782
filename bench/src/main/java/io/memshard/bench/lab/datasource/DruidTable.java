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

/**
 * Experiment on whether the ranks, shapes and crossings of Druid's table of 2012 hold. That table has seven pools, 1 to
 * 100 threads and a million cycles.
 *
 * <p>The test behind the table got a connection and closed it. The page with the table also prints a test that executes
 * a statement. Here a cycle does one or the other. With up to 50 threads no caller waits for a connection. With 100
 * threads half of the callers wait, so that case is in effect a different experiment. In Druid's test an error ended a
 * thread's work, but its time still counted; here a failure ends only one cycle.
 */
public final class DruidTable extends Experiment {
    /**
     * Systems, one per line. The first, the Druid of the table, is the baseline.
     *
     * <p>All have the sizes of Druid's test and keep idle connections up to the maximum. A {@code -shipped} system has
     * no other setting: Hikari calls isValid after 500 ms idle, and Tomcat's pool and IronJacamar are fair. An {@code
     * -equal} system validates no connection, like most libraries by default. The {@code -as-in-2012} system has the
     * settings of Druid's test, which give BoneCP a LinkedBlockingDeque.
     *
     * <p>Proxool never waits but throws when all connections are out. IronJacamar stands in for the JBoss row of the
     * table, tbdatasource, a private fork in no public repository.
     */
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
    /** Systems whose number of opened connections is the subject of a claim. */
    private static final List<String> OPENERS = List.of("bonecp-0.7.1-as-in-2012", "c3p0-0.9.1.2-shipped");

    /** Creates the experiment. */
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
