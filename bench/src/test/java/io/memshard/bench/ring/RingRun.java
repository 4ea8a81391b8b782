// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * All figures of all rings, from the options to the files that {@link RingFiles} describes.
 *
 * <p>Rings are timed in rounds. In a round each has one slice, in an order that is shuffled again. All are compiled
 * together, so a call does not know which ring it is of, as in a program with several.
 *
 * <p>Threading: confined to one thread. Failure: {@link java.io.UncheckedIOException} if a file cannot be written.
 */
public final class RingRun {

    /** Few enough for the caches of a processor. */
    private static final int KEYS_TO_LOOK_UP = 4_096;

    private static final MathContext DIGITS = new MathContext(6);

    private final RingPlan plan;
    private final RingClock clock = new RingClock();
    private final List<RingFigure> figures = new ArrayList<>();
    private final String[] keys;

    /** Checks {@code options}. */
    public RingRun(RingOptions options) {
        this(options.toPlan());
    }

    RingRun(RingPlan plan) {
        this.plan = plan;
        int most = plan.servers().stream().mapToInt(plan::keys).max().orElseThrow();
        keys = SampleKeys.of(most, plan.sizes().seed());
    }

    /**
     * Measures and writes.
     *
     * @param folder for the files, created if it does not exist
     * @param command what was typed
     * @param out for progress
     */
    public RingResult run(Path folder, String command, PrintWriter out) {
        EnvironmentProbe probe = new EnvironmentProbe();
        for (int count : plan.servers()) {
            tell(out, "%d servers: balance and movement of %,d keys", count, plan.keys(count));
            plan.rings().forEach(ring -> place(ring, count));
        }
        for (int count : plan.servers()) {
            tell(out, "%d servers: look-up, building and memory", count);
            time(count);
        }
        figures.sort(Comparator.comparing(RingFigure::ring)
                .thenComparing(RingFigure::servers)
                .thenComparing(RingFigure::measure)
                .thenComparing(RingFigure::sample));
        RingResult result = new RingResult(probe.environmentWithoutServer(command), plan.sizes(), figures);
        RingFiles.write(folder, result);
        return result;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static void tell(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }

    private void place(String name, int count) {
        for (int number = 1; number <= plan.sizes().fleets(); number++) {
            int sample = number;
            Map<RingMeasure, Double> placed = new Placement(Ring.named(name), keys)
                    .figures(
                            new Fleet(number),
                            count,
                            plan.keys(count),
                            plan.sizes().seed());
            placed.forEach((measure, value) -> add(name, count, measure, sample, value));
        }
    }

    private void time(int count) {
        List<Server> servers = new Fleet(1).plain(count);
        List<Subject> subjects = new ArrayList<>();
        for (String name : plan.rings()) {
            Ring ring = Ring.named(name);
            subjects.add(new Subject(name, ring, ring.locator(servers)));
        }
        String[] some = Arrays.copyOf(keys, KEYS_TO_LOOK_UP);
        String[] longer = SampleKeys.longer(keys, KEYS_TO_LOOK_UP);
        long slice = plan.sizes().sliceMillis() * 1_000_000L;
        Random random = new Random(plan.sizes().seed());
        for (int round = 1 - RingPlan.WARM_UP_ROUNDS; round <= plan.sizes().rounds(); round++) {
            Collections.shuffle(subjects, random);
            for (Subject subject : subjects) {
                RingClock.Cost lookup = clock.ofLookup(subject.locator, some, slice);
                RingClock.Cost longLookup = clock.ofLookup(subject.locator, longer, slice);
                RingClock.Cost build = clock.ofBuild(subject.ring, servers, slice);
                if (round >= 1) {
                    add(subject.name, count, RingMeasure.LOOKUP_NS, round, lookup.nanos());
                    add(subject.name, count, RingMeasure.LOOKUP_BYTES, round, lookup.bytes());
                    add(subject.name, count, RingMeasure.LONG_LOOKUP_NS, round, longLookup.nanos());
                    add(subject.name, count, RingMeasure.BUILD_US, round, build.nanos() / 1e3);
                }
            }
        }
        for (Subject subject : subjects) {
            add(subject.name, count, RingMeasure.MEMORY_BYTES, 1, Math.rint(clock.memory(subject.ring, servers)));
        }
    }

    private record Subject(String name, Ring ring, ServerLocator locator) {}

    /** Six digits are more than any figure is good for. */
    private void add(String ring, int servers, RingMeasure measure, int sample, double value) {
        double rounded = new BigDecimal(value).round(DIGITS).doubleValue();
        figures.add(new RingFigure(ring, servers, measure, sample, rounded));
    }
}
