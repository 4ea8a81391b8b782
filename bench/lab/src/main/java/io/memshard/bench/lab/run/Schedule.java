// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.data.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * The forks of one experiment and profile, in the order in which they run: block by block, each shuffled again, and
 * after them the lock profiles.
 *
 * <p>Threading: immutable.
 *
 * @param experiment what is asked
 * @param profile size of the machine that is meant
 * @param plan how much is run
 * @param forks in their order
 */
record Schedule(Experiment experiment, Profile profile, Plan plan, List<ForkKey> forks) {

    /** Time of a fork in addition to warm-up and window: to start, to connect, to end. */
    private static final Duration OVERHEAD = Duration.ofMillis(1500);

    /** Time that fixed work takes, about: plans are made so. */
    private static final Duration FIXED = Duration.ofSeconds(1);

    Schedule {
        forks = List.copyOf(forks);
    }

    /** Returns the schedule of {@code plan}; the same seed gives the same order. */
    static Schedule of(Experiment experiment, Plan plan, Profile profile, long seed) {
        String baseline = experiment.arms().get(0).name();
        Random order = new Random(seed);
        List<ForkKey> forks = new ArrayList<>();
        for (int block = 1; block <= plan.blocks(); block++) {
            List<ForkKey> keys = new ArrayList<>();
            Set<Condition> ofBaseline = new LinkedHashSet<>();
            for (Plan.Cell cell : plan.cells()) {
                keys.add(new ForkKey(experiment.name(), profile, block, cell.arm(), cell.condition(), false));
                if (cell.arm().equals(baseline)) {
                    ofBaseline.add(cell.condition());
                }
            }
            for (Plan.Cell cell : plan.asideOf(block)) {
                keys.add(new ForkKey(experiment.name(), profile, block, cell.arm(), cell.condition(), false));
            }
            for (Condition condition : ofBaseline) {
                keys.add(new ForkKey(experiment.name(), profile, block, baseline + ForkKey.AGAIN, condition, false));
            }
            Collections.shuffle(keys, order);
            forks.addAll(keys);
        }
        for (Plan.Cell cell : plan.profiles()) {
            forks.add(new ForkKey(experiment.name(), profile, 1, cell.arm(), cell.condition(), true));
        }
        return new Schedule(experiment, profile, plan, forks);
    }

    /** Returns the servers that the forks need; none of them is {@link ServerNeed#NONE}. */
    Set<ServerNeed> servers() {
        Set<ServerNeed> needs = EnumSet.noneOf(ServerNeed.class);
        forks.forEach(fork -> needs.add(experiment.serverFor(fork.openedArm(), fork.condition())));
        needs.remove(ServerNeed.NONE);
        return needs;
    }

    /** Returns how long one fork takes, about. */
    Duration lengthOfOne() {
        return plan.warmUp().plus(plan.window()).plus(OVERHEAD).plus(plan.fixedCycles() == 0 ? Duration.ZERO : FIXED);
    }

    /** Returns how long {@code number} forks take. */
    Duration length(int number) {
        return lengthOfOne().multipliedBy(number);
    }

    /** Returns how much is run, in words. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%s, profile %s: %d blocks, %d forks of %.1f s, about %s",
                experiment.name(),
                profile.label(),
                plan.blocks(),
                forks.size(),
                lengthOfOne().toMillis() / 1e3,
                LabRun.text(length(forks.size())));
    }

    /** Returns everything that makes another plan of it. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(experiment.name()).append(' ').append(profile).append(' ');
        text.append(plan.warmUp()).append(' ').append(plan.window()).append(' ');
        text.append(plan.fixedCycles()).append(' ').append(plan.batch()).append('\n');
        forks.forEach(fork -> text.append(fork.label()).append('\n'));
        return text.toString();
    }
}
