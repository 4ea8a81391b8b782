// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Runs one fork of the plan. For each condition all contenders are opened side by side in this JVM. They take turns in
 * short slices, round after round, in an order that is shuffled anew for every round.
 *
 * <p>Why so: a shared machine changes its speed from minute to minute. Contenders measured one after the
 * other differ by that change; contenders measured within one round share it, and their ratio is left.
 *
 * <p>Threading: confined to one thread.
 */
final class Comparison {

    /** A contender that got faster by less in {@link #STEADY_TURNS} turns, one after the other, is warm. */
    private static final double STEADY = 1.05;

    private static final int STEADY_TURNS = 2;

    private final CompareTask task;
    private final ComparePlan plan;
    private final BenchServer server;
    private final Progress progress;
    private final Random order;
    private final List<SliceResult> slices = new ArrayList<>();

    Comparison(CompareTask task, BenchServer server, Progress progress) {
        this.task = task;
        this.plan = task.plan();
        this.server = server;
        this.progress = progress;
        this.order = new Random(task.seed());
    }

    /** Runs every condition; afterwards {@link #slices} is complete. */
    void run() {
        plan.conditions().forEach(this::run);
    }

    private void run(Condition condition) {
        Keyspace keyspace = new Keyspace(plan.keys(), condition.valueSize());
        keyspace.fill(server);
        Map<Participant, Contender> opened = new LinkedHashMap<>();
        try (CallerGroup group = new CallerGroup(condition, keyspace, task.seed(), task.serverPids())) {
            for (Participant participant : plan.participants()) {
                opened.put(participant, participant.kind().open(settingsOf(participant)));
            }
            warmUp(condition, group, opened);
            for (int round = 1; round <= plan.rounds(); round++) {
                int position = 0;
                for (Participant participant : shuffled()) {
                    position++;
                    CallerGroup.Slice seen = group.call(contender(opened, participant), plan.slice());
                    SliceResult slice = result(condition, round, position, participant, seen);
                    slices.add(slice);
                    progress.slice(slice, seen.statistics().firstFailure());
                }
            }
        } finally {
            opened.values().forEach(Contender::close);
        }
    }

    /** Turns of one slice, until no contender gets faster any more; those that are warm leave out further turns. */
    private void warmUp(Condition condition, CallerGroup group, Map<Participant, Contender> opened) {
        progress.warmUp(condition);
        Map<Participant, Double> before = new HashMap<>();
        Map<Participant, Integer> steady = new HashMap<>();
        List<Participant> rising = shuffled();
        for (int turn = 1; turn <= plan.warmUps() && !rising.isEmpty(); turn++) {
            for (Participant participant : List.copyOf(rising)) {
                double rate = warmUp(participant, group.call(contender(opened, participant), plan.slice()));
                boolean rises = rate > STEADY * before.getOrDefault(participant, 0.0);
                int turns = rises ? 0 : steady.getOrDefault(participant, 0) + 1;
                if (turns == STEADY_TURNS) {
                    rising.remove(participant);
                }
                steady.put(participant, turns);
                before.put(participant, rate);
            }
        }
    }

    /** Operations a second of a turn. */
    private static double warmUp(Participant participant, CallerGroup.Slice turn) {
        CallStatistics statistics = turn.statistics();
        Throwable failure = statistics.firstFailure();
        if (statistics.operations() == 0) {
            throw new BenchException("contender " + participant.label() + " answered no call while warming up"
                    + (failure == null ? "" : ": " + failure));
        }
        return statistics.operations() * 1e9 / turn.elapsedNanos();
    }

    private SliceResult result(
            Condition condition, int round, int position, Participant participant, CallerGroup.Slice seen) {
        CallStatistics statistics = seen.statistics();
        return new SliceResult(
                condition,
                task.fork(),
                round,
                position,
                participant.label(),
                participant.kind().sockets(settingsOf(participant), condition.threads()),
                seen.elapsedNanos(),
                statistics.operations(),
                statistics.errors(),
                statistics.timeouts(),
                statistics.wrongValues(),
                seen.cpuNanos(),
                statistics.latency(),
                seen.fairness(),
                seen.surroundings());
    }

    private ContenderSettings settingsOf(Participant participant) {
        return plan.settingsOf(participant, server.addresses());
    }

    private List<Participant> shuffled() {
        List<Participant> participants = new ArrayList<>(plan.participants());
        Collections.shuffle(participants, order);
        return participants;
    }

    private static Contender contender(Map<Participant, Contender> opened, Participant participant) {
        return Objects.requireNonNull(opened.get(participant));
    }

    List<SliceResult> slices() {
        return List.copyOf(slices);
    }
}
