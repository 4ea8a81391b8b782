// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.compare.ComparePlan.Participant;
import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Program that runs one fork of the plan. For each condition all contenders are opened side by side in this JVM. They
 * take turns in short slices, round after round, in an order that is shuffled for every round.
 *
 * <p>The reason is that the speed of a shared machine changes from minute to minute. Contenders that are measured one
 * after the other differ by that change. Contenders that are measured in the same round share it, so that it does not
 * affect their ratio.
 *
 * <p>Threading: confined to one thread. Failure: the program ends with exit status 1, and the last line of its output
 * describes an error that the user can fix.
 */
public final class Comparison {
    /** First character of a line that the next line replaces. */
    static final String COUNTER = "[";

    /**
     * Factor of speed from one turn to the next. A contender is warm after {@link #STEADY_TURNS} consecutive turns that
     * each gained less.
     */
    private static final double STEADY = 1.05;

    private static final int STEADY_TURNS = 2;

    private final Task task;
    private final ComparePlan plan;
    private final BenchServer server;
    private final PrintWriter out;
    private final Random order;
    private final List<SliceResult> slices = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();

    private Comparison(Task task, BenchServer server, PrintWriter out) {
        this.task = task;
        this.plan = task.plan();
        this.server = server;
        this.out = out;
        this.order = new Random(task.seed());
    }

    /**
     * Task of one fork, which {@link TextFile} writes. Forks are numbered from 1. {@code serverPids} is empty if the
     * processes of the servers are unknown.
     */
    record Task(int fork, ComparePlan plan, List<InetSocketAddress> servers, List<Long> serverPids) {
        /** Resolves the addresses from their hosts and ports. */
        Task {
            servers = servers.stream()
                    .map(server -> new InetSocketAddress(server.getHostString(), server.getPort()))
                    .toList();
        }

        /** Returns the seed of this fork. The seed of the plan alone would give every fork the same orders. */
        long seed() {
            return plan.seed() * 1_000_003 + fork;
        }
    }

    /** Runs the task in the folder that the only argument names, and writes the slices into that folder. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        try {
            Path folder = Path.of(arguments[0]);
            Task task = TextFile.readJson(folder.resolve(JavaCommand.TASK), Task.class);
            try (BenchServer server = BenchServer.at(task.servers())) {
                Comparison comparison = new Comparison(task, server, out);
                task.plan().conditions().forEach(comparison::run);
                ComparisonFiles.writeSlices(folder.resolve(ComparisonFiles.SLICES), comparison.slices);
            }
            System.exit(0);
        } catch (BenchException | UncheckedIOException e) {
            out.println(e.getMessage());
            System.exit(1);
        }
    }

    private void run(Condition condition) {
        Keyspace keyspace = new Keyspace(plan.keys(), condition.valueSize());
        keyspace.fill(server);
        Map<Participant, Contender> opened = new LinkedHashMap<>();
        try (CallerGroup group = new CallerGroup(condition, keyspace, task.seed(), task.serverPids())) {
            for (Participant participant : plan.participants()) {
                open(participant, opened);
            }
            warmUp(condition, group, opened);
            if (opened.isEmpty()) {
                throw new BenchException("no contender can be measured; why is above");
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                int position = 0;
                for (Participant participant : shuffled(opened)) {
                    position++;
                    CallerGroup.Slice seen = group.call(contender(opened, participant), plan.slice());
                    SliceResult slice = result(condition, round, position, participant, seen);
                    slices.add(slice);
                    report(slice, seen.recorder().firstFailure());
                }
            }
        } finally {
            opened.values().forEach(Contender::close);
        }
    }

    /** Opens {@code participant}, which loses its row if that fails. */
    private void open(Participant participant, Map<Participant, Contender> opened) {
        try {
            opened.put(participant, participant.kind().open(settingsOf(participant)));
        } catch (BenchException e) {
            out.println("left out: " + e.getMessage());
        }
    }

    /**
     * Runs warm-up turns, each one slice long, until no contender gets faster, but at most {@link
     * ComparePlan#warmUps()}. Warm contenders skip further turns. One that
     * answers no call loses its row.
     */
    private void warmUp(Condition condition, CallerGroup group, Map<Participant, Contender> opened) {
        out.println(counter() + " warm-up of " + condition.title());
        Map<Participant, Double> before = new HashMap<>();
        Map<Participant, Integer> steady = new HashMap<>();
        List<Participant> rising = shuffled(opened);
        for (int turn = 1; turn <= plan.warmUps() && !rising.isEmpty(); turn++) {
            for (Participant participant : List.copyOf(rising)) {
                CallerGroup.Slice warmUp = group.call(contender(opened, participant), plan.slice());
                Throwable failure = warmUp.recorder().firstFailure();
                if (warmUp.recorder().calls() == 0 && failure != null) {
                    out.println("left out: " + participant.label() + " answered no call while warming up: " + failure);
                    contender(opened, participant).close();
                    opened.remove(participant);
                    rising.remove(participant);
                    continue;
                }
                // 0 on a machine that was too busy for a single call.
                double rate = warmUp.recorder().calls() * 1e9 / warmUp.elapsedNanos();
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

    private SliceResult result(
            Condition condition, int round, int position, Participant participant, CallerGroup.Slice seen) {
        CallRecorder recorder = seen.recorder();
        return new SliceResult(
                condition,
                task.fork(),
                round,
                position,
                participant.label(),
                participant.kind().sockets(settingsOf(participant), condition.threads()),
                seen.elapsedNanos(),
                recorder.calls(),
                recorder.errors(),
                recorder.timeouts(),
                recorder.wrongValues(),
                seen.cpuNanos(),
                recorder.latency(),
                seen.fairness(),
                seen.readings());
    }

    private ContenderSettings settingsOf(Participant participant) {
        return plan.settingsOf(participant, server.addresses());
    }

    private List<Participant> shuffled(Map<Participant, Contender> opened) {
        List<Participant> participants = new ArrayList<>(opened.keySet());
        Collections.shuffle(participants, order);
        return participants;
    }

    private static Contender contender(Map<Participant, Contender> opened, Participant participant) {
        return Objects.requireNonNull(opened.get(participant));
    }

    /**
     * Prints a line for a slice, and another line the first time that a contender fails or returns wrong values.
     *
     * @param failure first failure of the slice; null if there is none
     */
    private void report(SliceResult slice, @Nullable Throwable failure) {
        out.println(String.format(
                Locale.ROOT,
                "%s %s, round %d: %-32s %,10.0f ops/s %8.1f us CPU/op",
                counter(),
                slice.condition().title(),
                slice.round(),
                slice.contender() + " (" + slice.connections() + ")",
                slice.operationsPerSecond(),
                slice.cpuMicrosPerOperation()));
        if (failure != null && reported.add(slice.contender())) {
            out.println(slice.contender() + " failed " + (slice.errors() + slice.timeouts()) + " calls, the first with "
                    + failure);
        } else if (slice.wrongValues() > 0 && reported.add(slice.contender())) {
            out.println(slice.contender() + " returned " + slice.wrongValues() + " wrong values");
        }
    }

    /** Returns the number of completed slices and the number of slices of all forks, such as {@code [3/40]}. */
    private String counter() {
        int ofAFork = plan.slicesOfAFork();
        int done = (task.fork() - 1) * ofAFork + slices.size();
        return COUNTER + done + "/" + plan.forks() * ofAFork + "]";
    }
}
