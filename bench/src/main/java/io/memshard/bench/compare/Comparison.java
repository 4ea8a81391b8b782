package io.memshard.bench.compare;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Runs the plan: for each condition all contenders are opened side by side in this JVM and take turns
 * in short slices, round after round, in an order shuffled anew for every round.
 *
 * <p>Why so: a shared machine changes its speed from minute to minute. Contenders measured one after the
 * other differ by that change; contenders measured within one round share it, and their ratio is left.
 *
 * <p>Threading: confined to one thread.
 */
final class Comparison {

    private final ComparePlan plan;
    private final BenchServer server;
    private final Progress progress;
    private final Random order;
    private final List<SliceResult> slices = new ArrayList<>();
    private final List<ContenderSummary> summaries = new ArrayList<>();

    Comparison(ComparePlan plan, BenchServer server, Progress progress) {
        this.plan = plan;
        this.server = server;
        this.progress = progress;
        this.order = new Random(plan.seed());
    }

    /** Runs every condition; afterwards {@link #slices} and {@link #summaries} are complete. */
    void run() {
        int factor = ComparePlan.COLD_START_FACTOR;
        for (Condition condition : plan.conditions()) {
            run(condition, factor);
            factor = 1;
        }
    }

    private void run(Condition condition, int warmUpFactor) {
        Keyspace keyspace = new Keyspace(plan.keys(), condition.valueSize());
        keyspace.fill(server);
        Map<Lane, Contender> opened = new LinkedHashMap<>();
        try (Crew crew = new Crew(condition, keyspace, plan.seed())) {
            for (Lane lane : plan.lanes()) {
                opened.put(lane, lane.kind().open(settingsOf(lane)));
            }
            warmUp(condition, crew, opened, warmUpFactor);
            Map<Lane, LaneRecord> records = new LinkedHashMap<>();
            plan.lanes().forEach(lane -> records.put(lane, new LaneRecord()));
            for (int round = 1; round <= plan.rounds(); round++) {
                int position = 0;
                for (Lane lane : shuffled()) {
                    position++;
                    Crew.Slice seen = crew.call(contender(opened, lane), plan.slice());
                    SliceResult slice = result(condition, round, position, lane, seen);
                    slices.add(slice);
                    record(records, lane).add(slice, seen.tally());
                    progress.slice(slice, seen.tally().firstFailure());
                }
            }
            List<SliceResult> baseline = record(records, plan.baseline()).slices();
            records.forEach((lane, record) -> summaries.add(record.summary(baseline)));
        } finally {
            opened.values().forEach(Contender::close);
        }
    }

    private void warmUp(Condition condition, Crew crew, Map<Lane, Contender> opened, int factor) {
        progress.warmUp(condition);
        for (Lane lane : shuffled()) {
            Tally tally = crew.call(contender(opened, lane), plan.warmUp().multipliedBy(factor))
                    .tally();
            Throwable failure = tally.firstFailure();
            if (tally.operations() == 0) {
                throw new ComparisonException("contender " + lane.label() + " answered no call while warming up"
                        + (failure == null ? "" : ": " + failure));
            }
        }
    }

    private SliceResult result(Condition condition, int round, int position, Lane lane, Crew.Slice seen) {
        Tally tally = seen.tally();
        return new SliceResult(
                condition,
                round,
                position,
                lane.label(),
                lane.kind().sockets(settingsOf(lane), condition.threads()),
                seen.elapsedNanos(),
                tally.operations(),
                tally.errors(),
                tally.timeouts(),
                tally.wrongValues(),
                seen.cpuNanos(),
                seen.stealFraction(),
                tally.latency());
    }

    private ContenderSettings settingsOf(Lane lane) {
        return plan.settingsOf(lane, server.address());
    }

    private List<Lane> shuffled() {
        List<Lane> lanes = new ArrayList<>(plan.lanes());
        Collections.shuffle(lanes, order);
        return lanes;
    }

    private static Contender contender(Map<Lane, Contender> opened, Lane lane) {
        return Objects.requireNonNull(opened.get(lane));
    }

    private static LaneRecord record(Map<Lane, LaneRecord> records, Lane lane) {
        return Objects.requireNonNull(records.get(lane));
    }

    List<SliceResult> slices() {
        return List.copyOf(slices);
    }

    List<ContenderSummary> summaries() {
        return List.copyOf(summaries);
    }
}
