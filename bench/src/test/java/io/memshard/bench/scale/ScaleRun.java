// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.memshard.Memshard;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.Environment;
import io.memshard.testkit.Eventually;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures clients with more and more servers, and writes what it finds to the files that {@link ScaleFiles} describes.
 *
 * <p>The servers are addresses of one memcached, so that they take nothing of this process and a get costs the same on
 * the other side. A client's memory is what there is more than before it, after it has opened all its sockets and used
 * each, and when collections free no more. For gets all clients are open at the same time. In a round each
 * has one slice, in an order that is shuffled again.
 *
 * <p>Threading: confined to one thread. Failure: {@link java.io.UncheckedIOException} if a file cannot be written,
 * {@link IllegalStateException} if there is no memcached on the PATH.
 */
public final class ScaleRun {

    private static final int KEYS = 4_096;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int SOCKETS_PER_CONNECTION = 2;
    private static final MathContext DIGITS = new MathContext(6);

    private final ScalePlan plan;
    private final List<ScaleFigure> figures = new ArrayList<>();
    private final String[] keys =
            IntStream.range(0, KEYS).mapToObj(i -> "key:" + i).toArray(String[]::new);

    /** Checks {@code options}. */
    public ScaleRun(ScaleOptions options) {
        this(options.toPlan());
    }

    ScaleRun(ScalePlan plan) {
        this.plan = plan;
    }

    /**
     * Measures and writes.
     *
     * @param folder for the files, created if it does not exist
     * @param command what was typed
     * @param out for progress
     */
    public ScaleResult run(Path folder, String command, PrintWriter out) {
        EnvironmentProbe probe = new EnvironmentProbe();
        int most = plan.servers().get(plan.servers().size() - 1);
        int all = plan.servers().stream().mapToInt(Integer::intValue).sum();
        Environment environment;
        try (Addresses addresses = new Addresses(most, all * plan.sizes().connections() * SOCKETS_PER_CONNECTION)) {
            int rounds = Math.min(ScalePlan.MOST_FOOTPRINTS, plan.sizes().rounds());
            for (int round = 0; round <= rounds; round++) {
                tell(out, "threads and memory, round " + round + " of " + rounds);
                for (int count : plan.servers()) {
                    measureFootprint(addresses, count, round);
                }
            }
            tell(out, "gets");
            String version = measureGets(addresses);
            environment = probe.environment(
                    addresses.shown(), "one process on " + most + " addresses of loopback", version, null, command);
        }
        figures.sort(Comparator.comparing(ScaleFigure::servers)
                .thenComparing(ScaleFigure::measure)
                .thenComparing(ScaleFigure::sample));
        ScaleResult result = new ScaleResult(environment, plan.sizes(), figures);
        ScaleFiles.write(folder, result);
        return result;
    }

    private static void tell(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private Memshard open(Addresses addresses, int count) {
        Memshard memshard = Memshard.builder()
                .servers(addresses.first(count))
                .connectionsPerServer(plan.sizes().connections())
                .requestTimeout(LONG)
                .connectTimeout(LONG)
                .build();
        memshard.awaitReady(LONG);
        return memshard;
    }

    /** Stores the items, and has every kind of caller use every server. */
    private void useAll(Memshard memshard) {
        Map<String, byte[]> values = Arrays.stream(keys)
                .collect(Collectors.toMap(
                        key -> key, key -> new byte[plan.sizes().valueSize()]));
        memshard.client().multiSet(values, DAY).storedOrThrow();
        memshard.asyncClient().multiGet(values.keySet()).join().hitsOrThrow();
        GetClock.time(memshard.client(), keys, 1);
    }

    /** Round 0 does not count: it loads classes and fills pools that stay. */
    private void measureFootprint(Addresses addresses, int count, int round) {
        awaitNoThreads("memshard");
        Footprint without = Footprint.settled();
        try (Memshard memshard = open(addresses, count)) {
            useAll(memshard);
            if (round == 0) {
                return;
            }
            awaitNoThreads("memshard-connect");
            awaitNoThreads("memshard-complete");
            Footprint with = Footprint.settled();
            add(count, ScaleMeasure.SOCKETS, round, (double) addresses.connections());
            add(count, ScaleMeasure.THREADS, round, (double) (with.threads() - without.threads()));
            add(count, ScaleMeasure.HEAP_BYTES, round, (double) (with.heap() - without.heap()));
            add(count, ScaleMeasure.DIRECT_BYTES, round, (double) (with.direct() - without.direct()));
        }
    }

    /** Waits for the end of threads that have nothing to do any more: what they keep would be counted. */
    private static void awaitNoThreads(String prefix) {
        Eventually.eventually(prefix + " threads have ended", LONG, () -> Footprint.threads(prefix) == 0);
    }

    /** Times gets of all clients in rounds; returns the version of the server. */
    private String measureGets(Addresses addresses) {
        Map<Integer, Memshard> clients = new LinkedHashMap<>();
        try {
            plan.servers().forEach(count -> clients.put(count, open(addresses, count)));
            clients.values().forEach(this::useAll);
            long slice = plan.sizes().sliceMillis() * 1_000_000L;
            Random random = new Random(plan.sizes().seed());
            List<Integer> order = new ArrayList<>(plan.servers());
            for (int round = 1 - ScalePlan.WARM_UP_ROUNDS; round <= plan.sizes().rounds(); round++) {
                Collections.shuffle(order, random);
                for (int count : order) {
                    Memshard memshard = Objects.requireNonNull(clients.get(count), "client");
                    GetClock get = GetClock.time(memshard.client(), keys, slice);
                    if (round >= 1) {
                        add(count, ScaleMeasure.GET_US, round, get.micros());
                        add(count, ScaleMeasure.GET_CPU_US, round, get.cpuMicros());
                        add(count, ScaleMeasure.GET_BYTES, round, get.bytes());
                    }
                }
            }
            return clients.values().iterator().next().client().version();
        } finally {
            clients.values().forEach(Memshard::close);
        }
    }

    /** Six digits are more than any figure is good for. */
    private void add(int servers, ScaleMeasure measure, int sample, double value) {
        double rounded = new BigDecimal(value).round(DIGITS).doubleValue();
        figures.add(new ScaleFigure(servers, measure, sample, rounded));
    }
}
