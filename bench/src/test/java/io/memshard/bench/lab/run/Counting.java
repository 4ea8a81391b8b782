// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** An experiment that counts what is asked of it: every third cycle of the arm {@code failing} fails. */
final class Counting extends Experiment {

    Counting() {
        super("counting", "count");
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                Arm.of("plain", setup -> new Counter(false)),
                Arm.of("failing", setup -> new Counter(true)),
                Arm.of("closed", setup -> {
                    throw new IllegalStateException("closed for today");
                }));
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        List<Condition> conditions = List.of(Condition.ofThreads(1), Condition.ofThreads(2));
        if (size == Size.FULL) {
            return plan(Plan.cross(conditions, List.of("plain", "failing")), 3);
        }
        return plan(Plan.cross(conditions.subList(1, 2), List.of("plain", "failing", "closed")), 1);
    }

    private static Plan plan(List<Plan.Cell> cells, int blocks) {
        return Plan.of(cells, blocks, Duration.ofMillis(100), Duration.ofMillis(400))
                .withProfiles(Plan.cross(List.of(Condition.ofThreads(2)), List.of("plain")));
    }

    private static final class Counter implements OpenedArm {

        private final boolean failing;
        private final AtomicLong begun = new AtomicLong();

        Counter(boolean failing) {
            this.failing = failing;
        }

        @Override
        public Cycle cycle(int caller) {
            return number -> {
                if (failing && number % 3 == 2) {
                    throw new IllegalStateException("the third");
                }
                return begun.incrementAndGet();
            };
        }

        @Override
        public Map<String, Double> figures() {
            return Map.of("begun", (double) begun.get());
        }

        @Override
        public void close() {
            begun.set(0);
        }
    }
}
