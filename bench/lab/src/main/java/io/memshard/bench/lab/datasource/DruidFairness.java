// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Hold;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What does a fair lock cost a pool that has fewer connections than callers, and what does it buy?
 *
 * <p>The price is throughput. What is bought is in the figures: how evenly callers are served (Jain's index) and how
 * long the unluckiest waits. The open loop asks the same where requests arrive at a rate below saturation, as they do
 * in a service.
 */
public final class DruidFairness implements Experiment {

    private static final List<Integer> THREADS = List.of(8, 100);
    private static final List<String> HOLDS = List.of("none", "park-1000us");
    private static final int BLOCKS = 5;

    /**
     * Below the ten thousand a second at which the article's service was capped, and below what 20 connections give.
     */
    private static final int RATE = 3000;

    @Override
    public String name() {
        return "druid-fairness";
    }

    @Override
    public String question() {
        return "What does a fair lock cost a pool that has fewer connections than callers, and what does it buy?";
    }

    @Override
    public String unit() {
        return "connection got and closed";
    }

    @Override
    public List<Arm> arms() {
        return FairnessSystems.arms();
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<String> all = arms().stream().map(Arm::name).toList();
        if (size == Size.QUICK) {
            List<Condition> conditions = List.of(
                    condition(300, 20, "park-200us"),
                    condition(100, 20, "park-1000us").with(Condition.RATE, RATE));
            return new Plan(
                    Plan.cross(conditions, all), 1, Duration.ofMillis(300), Duration.ofMillis(700), 0, 1, List.of());
        }
        return new Plan(
                        Plan.cross(List.of(condition(300, 20, "park-200us")), all),
                        BLOCKS,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        0,
                        1,
                        Plan.cross(List.of(condition(300, 20, "park-200us")), all))
                .withAside(Plan.cross(aside(), all), 3);
    }

    private static List<Condition> aside() {
        List<Condition> conditions = new ArrayList<>();
        for (int threads : THREADS) {
            conditions.add(condition(threads, 20, "park-200us"));
        }
        for (String hold : HOLDS) {
            conditions.add(condition(300, 20, hold));
        }
        conditions.add(condition(300, 50, "park-200us"));
        conditions.add(condition(100, 20, "park-1000us").with(Condition.RATE, RATE));
        return conditions;
    }

    private static Condition condition(int threads, int max, String hold) {
        return Condition.ofThreads(threads).with(FairnessSystems.MAX, max).with(Hold.PARAMETER, hold);
    }
}
