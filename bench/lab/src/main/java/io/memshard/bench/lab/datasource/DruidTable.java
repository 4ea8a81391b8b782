// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Do the ranks, shapes and crossings of Druid's table of 2012 hold: eight pools, 1 to 100 threads, a million cycles?
 *
 * <p>The table's test got and closed a connection, the page beside it prints a statement too: both are bodies here. Up
 * to 50 threads nobody waits for a connection; with 100 half of them do, which is another experiment in the same
 * table. Its errors ended a thread's work but not its clock; here a failure ends one cycle.
 */
public final class DruidTable implements Experiment {

    private static final List<Integer> THREADS = List.of(1, 2, 5, 10, 20, 50, 100);
    /** A tenth of the table's: with a million the slow rows alone would take an hour. */
    private static final long CYCLES = 100_000;

    /** Of which a claim says how many connections they open. */
    private static final List<String> OPENERS = List.of("bonecp-0.7.1-as-in-2012", "c3p0-0.9.1.2-shipped");

    private static final int BLOCKS = 5;

    @Override
    public String name() {
        return "druid-table";
    }

    @Override
    public String question() {
        return "Do the ranks, shapes and crossings of Druid's table of connection pools hold?";
    }

    @Override
    public String unit() {
        return "connection got and closed";
    }

    @Override
    public List<Arm> arms() {
        return TableSystems.arms();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<String> all = arms().stream().map(Arm::name).toList();
        if (size == Size.QUICK) {
            List<Condition> conditions = List.of(condition(20, SourceArm.CYCLE), condition(100, SourceArm.SELECT));
            return new Plan(
                    Plan.cross(conditions, all), 1, Duration.ofMillis(300), Duration.ofMillis(500), 0, 1, List.of());
        }
        Condition hundred = condition(100, SourceArm.CYCLE);
        List<Plan.Cell> cells = new ArrayList<>(Plan.cross(List.of(hundred), all));
        cells.addAll(Plan.cross(List.of(condition(10, SourceArm.CYCLE)), OPENERS));
        return new Plan(
                        cells,
                        BLOCKS,
                        Duration.ofMillis(800),
                        Duration.ofSeconds(1),
                        CYCLES,
                        1,
                        Plan.cross(List.of(hundred), all))
                .withAside(Plan.cross(aside(), all), 5);
    }

    private static List<Condition> aside() {
        List<Condition> conditions = new ArrayList<>();
        for (int threads : THREADS) {
            conditions.add(condition(threads, SourceArm.CYCLE));
        }
        conditions.add(condition(100, SourceArm.SELECT));
        return conditions;
    }

    private static Condition condition(int threads, String body) {
        return Condition.ofThreads(threads).with(SourceArm.BODY, body);
    }
}
