// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.data.Digest;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run of the lab does.
 *
 * <p>Threading: immutable.
 *
 * @param experiments in their order
 * @param size quick or full
 * @param profiles one or both
 * @param server {@code host:port} of a memcached that runs; empty to start one for each fork
 * @param seed of the orders
 * @param anyway whether to measure on a busy machine, without a verdict
 * @param isolation how client and server are kept to their processors
 * @param blocks in place of those of the experiments; 0 to leave them
 * @param cpus numbers of processors at which the cells of every block run too, aside
 */
public record LabPlan(
        List<Experiment> experiments,
        Experiment.Size size,
        List<Profile> profiles,
        String server,
        long seed,
        boolean anyway,
        Isolation isolation,
        int blocks,
        List<Integer> cpus) {

    /** Fewest blocks of a full run, from which verdicts follow. */
    public static final int LEAST_BLOCKS = 5;

    private static final int SWEEP_EVERY = 3;
    private static final int MOST_BLOCKS = 1000;

    /** Copies the lists. */
    public LabPlan {
        experiments = List.copyOf(experiments);
        profiles = List.copyOf(profiles);
        cpus = List.copyOf(cpus);
    }

    /** A plan as the experiments have it, pinned by processor affinity where that can be. */
    public LabPlan(
            List<Experiment> experiments,
            Experiment.Size size,
            List<Profile> profiles,
            String server,
            long seed,
            boolean anyway) {
        this(experiments, size, profiles, server, seed, anyway, Isolation.withoutContainers(), 0, List.of());
    }

    List<Schedule> schedules() {
        List<Schedule> schedules = new ArrayList<>();
        for (Experiment experiment : experiments) {
            for (Profile profile : profiles) {
                schedules.add(Schedule.of(experiment, amended(experiment.plan(size, profile)), profile, seed));
            }
        }
        return schedules;
    }

    private Plan amended(Plan plan) {
        List<Plan.Cell> swept = cpus.stream()
                .flatMap(number -> plan.cells().stream()
                        .map(cell -> new Plan.Cell(cell.arm(), cell.condition().with(Condition.CPUS, number))))
                .toList();
        Plan more = plan.withAside(swept, plan.aside().isEmpty() ? SWEEP_EVERY : plan.asideEvery());
        return blocks == 0 ? more : more.withBlocks(blocks);
    }

    /** Replaces the number of blocks. */
    public LabPlan withBlocks(int number) {
        return new LabPlan(experiments, size, profiles, server, seed, anyway, isolation, number, cpus);
    }

    /**
     * Replaces the number of blocks by as many as fit into {@code time}.
     *
     * @throws BenchException if that is less than a full run needs
     */
    public LabPlan within(Duration time) {
        LabPlan longest = withBlocks(LEAST_BLOCKS);
        if (longest.length().compareTo(time) > 0) {
            throw new BenchException(LEAST_BLOCKS + " blocks, the fewest of a full run, take "
                    + LabRun.text(longest.length()) + "; that does not fit into " + LabRun.text(time));
        }
        for (int more = LEAST_BLOCKS + 1; more <= MOST_BLOCKS; more++) {
            if (withBlocks(more).length().compareTo(time) > 0) {
                break;
            }
            longest = withBlocks(more);
        }
        return longest;
    }

    /** Returns what would run and how long, a line for each experiment and profile. */
    public String text() {
        StringBuilder text = new StringBuilder();
        schedules().forEach(schedule -> text.append(schedule.line()).append('\n'));
        return text.append("together about ")
                .append(LabRun.text(length()))
                .append('\n')
                .toString();
    }

    /** Returns how long all forks take, about. */
    public Duration length() {
        return schedules().stream()
                .map(schedule -> schedule.length(schedule.forks().size()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Replaces the seed. */
    LabPlan withSeed(long other) {
        return new LabPlan(experiments, size, profiles, server, other, anyway, isolation, blocks, cpus);
    }

    /** Returns a hash of everything that is run. */
    String hash() {
        StringBuilder text = new StringBuilder();
        schedules().forEach(schedule -> text.append(schedule.text()));
        return Digest.of(
                text.append(ForkLauncher.FLAGS).append(server).append(isolation).toString());
    }
}
