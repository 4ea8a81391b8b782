// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.TextFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** Plan of a run. If {@code blocks} is 0, each experiment has its own number of blocks. */
public record LabPlan(
        List<Experiment> experiments,
        Experiment.Size size,
        List<Profile> profiles,
        String server,
        long seed,
        boolean anyway,
        int blocks) {

    public static final int LEAST_BLOCKS = 5;

    List<Schedule> schedules() {
        List<Schedule> schedules = new ArrayList<>();
        for (Experiment experiment : experiments) {
            for (Profile profile : profiles) {
                schedules.add(Schedule.of(experiment, planOf(experiment, profile), profile, seed));
            }
        }
        return schedules;
    }

    private Plan planOf(Experiment experiment, Profile profile) {
        Plan plan = experiment.plan(size, profile);
        return blocks == 0 ? plan : plan.withBlocks(blocks);
    }

    public String text() {
        return schedules().stream().map(schedule -> schedule.line() + "\n").collect(Collectors.joining())
                + "together about " + Blocks.text(length()) + "\n";
    }

    public Duration length() {
        return schedules().stream().map(Schedule::length).reduce(Duration.ZERO, Duration::plus);
    }

    LabPlan withSeed(long other) {
        return new LabPlan(experiments, size, profiles, server, other, anyway, blocks);
    }

    String hash() {
        String forks = schedules().stream().map(Schedule::text).collect(Collectors.joining());
        return TextFile.digest((forks + Blocks.FORK_FLAGS + server).getBytes(StandardCharsets.UTF_8));
    }

    /** Forks in the order in which they run. The forks of each block are shuffled, and lock profiles come last. */
    record Schedule(Experiment experiment, Profile profile, Plan plan, List<ForkKey> forks) {

        private static final Duration OVERHEAD = Duration.ofMillis(1500);

        static Schedule of(Experiment experiment, Plan plan, Profile profile, long seed) {
            String baseline = experiment.arms().get(0).name();
            List<Plan.Cell> again = plan.cells().stream()
                    .filter(cell -> cell.arm().equals(baseline))
                    .map(cell -> new Plan.Cell(baseline + ForkKey.AGAIN, cell.condition()))
                    .toList();
            Random order = new Random(seed);
            List<ForkKey> forks = new ArrayList<>();
            for (int block = 1; block <= plan.blocks(); block++) {
                List<Plan.Cell> cells = Plan.all(plan.cells(), plan.asideOf(block), again);
                Collections.shuffle(cells, order);
                for (Plan.Cell cell : cells) {
                    forks.add(new ForkKey(experiment.name(), profile, block, cell.arm(), cell.condition(), false));
                }
            }
            for (Plan.Cell cell : plan.profiles()) {
                forks.add(new ForkKey(experiment.name(), profile, 1, cell.arm(), cell.condition(), true));
            }
            return new Schedule(experiment, profile, plan, forks);
        }

        boolean needsServer() {
            return forks.stream().anyMatch(fork -> experiment.workersFor(fork.condition()) > 0);
        }

        private Duration lengthOfOne() {
            return plan.warmUp().plus(plan.window()).plus(OVERHEAD);
        }

        Duration length() {
            return lengthOfOne().multipliedBy(forks.size());
        }

        String line() {
            return String.format(
                    Locale.ROOT,
                    "%s, profile %s: %d blocks, %d forks of %.1f s, about %s",
                    experiment.name(),
                    profile.label(),
                    plan.blocks(),
                    forks.size(),
                    lengthOfOne().toMillis() / 1e3,
                    Blocks.text(length()));
        }

        String text() {
            return experiment.name() + profile + plan.warmUp() + plan.window() + plan.batch() + forks;
        }
    }
}
