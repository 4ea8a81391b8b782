// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import com.sun.management.ThreadMXBean;
import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.jmh.Arrivals;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.run.CycleCaller.Phases;
import io.memshard.bench.lab.run.CycleCaller.Phases.Phase;
import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.machine.HiccupMeter;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.machine.Meter;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.machine.VirtualThreads;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.BenchServer;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Program of a fork: opens one arm, puts load on it, and writes one row.
 *
 * <p>Threading: confined to the main thread of the fork, which starts the callers.
 */
public final class Fork {

    /** Name of the recording in the folder of a fork. */
    static final String RECORDING = "locks.jfr";

    /** Figure of a fork with a server: the round trip while nothing else is in progress. */
    static final String ROUND_TRIP = "rtt_us";

    /**
     * Figure of an open loop: the time by which free callers began a cycle late, not exceeded in 99 of 100 cycles.
     */
    public static final String LAG = "lag_p99_us";

    /** Figure of an open loop: the length of the warm-up in seconds. */
    public static final String WARM_UP = "warm_up_seconds";

    /** Figure of a fork that times several cycles together: their number. */
    private static final String BATCH = "batch";

    private static final long LONGEST_FIXED_SECONDS = 600;
    private static final double MICRO = 1e3;

    private final Task task;
    private final Path folder;
    private final boolean isMemcached;

    private Fork(Task task, Path folder, boolean isMemcached) {
        this.task = task;
        this.folder = folder;
        this.isMemcached = isMemcached;
    }

    /**
     * Task of one fork, which {@link TextFile} writes and reads as JSON.
     *
     * @param key identity of the fork
     * @param warmUp length of the warm-up before the measurement
     * @param window length of the measurement
     * @param fixedCycles number of cycles that are timed after the measurement; 0 for none
     * @param batch cycles between two time stamps
     * @param server {@code host:port} of the server; empty for none
     * @param serverPid process id of the server; 0 if unknown
     */
    record Task(
            ForkKey key, Duration warmUp, Duration window, long fixedCycles, int batch, String server, long serverPid) {

        /** Returns the address of the server; null for none. */
        @Nullable
        InetSocketAddress serverAddress() {
            int colon = server.lastIndexOf(':');
            return server.isEmpty()
                    ? null
                    : new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
        }
    }

    /**
     * Runs the task of {@code folder} and writes its result there. An arm that cannot be opened gives a result with
     * that failure.
     */
    public static void run(Path folder, Function<String, Experiment> experiments) {
        Task task = TextFile.readJson(folder.resolve(JavaCommand.TASK), Task.class);
        ForkKey key = task.key();
        Experiment experiment = experiments.apply(key.experiment());
        ServerNeed need = experiment.serverFor(key.openedArm(), key.condition());
        boolean isMemcached = need != ServerNeed.NONE;
        ForkResult result = new Fork(task, folder, isMemcached).result(experiment.arm(key.openedArm()));
        ForkFile.append(folder.resolve(ForkFile.NAME), result);
    }

    private ForkResult result(Arm arm) {
        Setup setup = new Setup(task.key().condition(), task.key().profile(), task.serverAddress());
        try (OpenedArm opened = arm.opener().open(setup)) {
            double roundTrip = isMemcached ? roundTripMicros() : 0;
            ForkResult result = task.key().profiled() ? profiled(opened) : timed(opened);
            return isMemcached && result.isThere() ? result.with(ROUND_TRIP, roundTrip) : result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ForkResult.failed(task.key(), "interrupted");
        } catch (Exception | LinkageError e) {
            return ForkResult.failed(task.key(), e.toString());
        }
    }

    private double roundTripMicros() {
        try (BenchServer server = BenchServer.find(task.server())) {
            return server.roundTripMicros();
        }
    }

    private ForkResult timed(OpenedArm opened) throws InterruptedException {
        int threads = task.key().condition().threads();
        Phases phases = new Phases(threads);
        int rate = task.key().condition().rate();
        Arrivals arrivals = rate == 0 ? null : new Arrivals(rate);
        List<CycleCaller> callers = new ArrayList<>();
        List<Thread> started = new ArrayList<>();
        boolean areVirtual = task.key().condition().text(Condition.CALLERS, "").equals(Condition.VIRTUAL);
        ThreadFactory factory = VirtualThreads.callers(areVirtual);
        for (int i = 0; i < threads; i++) {
            CycleCaller caller =
                    new CycleCaller(phases, opened.cycle(i), task.batch(), task.fixedCycles() / threads, arrivals);
            callers.add(caller);
            started.add(factory.newThread(caller));
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        started.forEach(Thread::start);
        Measured measured = measure(opened, phases, ids(started));
        Map<Measure, Double> measures = measured.measures;
        measures.put(Measure.LOAD, load);
        if (!phases.awaitPause()) {
            return ForkResult.failed(task.key(), "a cycle has not ended a minute after the measurement");
        }
        measures.put(Measure.FIXED_SECONDS, fixedSeconds(phases));
        CallRecorder sum = new CallRecorder(1);
        callers.forEach(caller -> {
            sum.add(caller.of(Phase.MEASURE));
            sum.add(caller.of(Phase.MEASURE_LATE));
        });
        if (sum.firstFailure() != null && sum.calls() == 0) {
            return ForkResult.failed(task.key(), "every cycle failed, the first by " + sum.firstFailure());
        }
        add(sum, callers, measures);
        TreeMap<String, Double> figures = new TreeMap<>(opened.figures());
        long late = callers.stream()
                .mapToLong(caller -> caller.of(Phase.MEASURE_LATE).calls())
                .sum();
        double early = sum.calls() - late;
        if (early > 0) {
            figures.put(Metric.DRIFT, late / early / measured.lateOverEarly);
        }
        if (arrivals != null) {
            figures.put(WARM_UP, task.warmUp().toMillis() / 1e3);
            addOpenLoop(callers, figures);
        }
        if (task.batch() > 1) {
            figures.put(BATCH, (double) task.batch());
        }
        return ForkResult.of(
                task.key(),
                measures,
                figures,
                callers.stream().map(CycleCaller::cycles).toList());
    }

    private static void addOpenLoop(List<CycleCaller> callers, Map<String, Double> figures) {
        CallRecorder service = new CallRecorder(1);
        CallRecorder lag = new CallRecorder(1);
        callers.forEach(caller -> {
            service.add(caller.service);
            lag.add(caller.lag);
        });
        figures.put("service_p50_us", service.latency().p50Micros());
        figures.put("service_p99_us", service.latency().p99Micros());
        figures.put("service_p999_us", service.latency().p999Micros());
        figures.put(LAG, lag.latency().p99Micros());
    }

    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    private static long[] ids(List<Thread> threads) {
        return threads.stream().mapToLong(Thread::getId).toArray();
    }

    /**
     * Readings of the meters of a measurement.
     *
     * @param measures all measures except those of the callers
     * @param lateOverEarly length of the measurement's second half over that of its first; they differ if this thread
     *     wakes late
     */
    private record Measured(Map<Measure, Double> measures, double lateOverEarly) {}

    private Measured measure(OpenedArm opened, Phases phases, long[] ids) throws InterruptedException {
        // The first readings load classes, which may take long among busy callers, so they come before the measurement.
        ForkMeter first = ForkMeter.atStart(ids, task.serverPid());
        ForkMeter.atEnd(ForkMeter.counters(ids), task.serverPid()).since(first);
        Thread.sleep(task.warmUp().toMillis() / 2);
        makeOld();
        Thread.sleep(task.warmUp().toMillis() / 2);
        HiccupMeter hiccups = new HiccupMeter();
        hiccups.start();
        opened.windowBegins();
        ForkMeter start = ForkMeter.atStart(ids, task.serverPid());
        long begin = System.nanoTime();
        phases.warmUpToMeasure();
        Thread.sleep(task.window().toMillis() / 2);
        phases.measureToLate();
        long middle = System.nanoTime();
        Thread.sleep(task.window().toMillis() / 2);
        Map<Measure, Double> counters = ForkMeter.counters(ids);
        phases.measureToPause();
        // No other work separates the phases from these clocks: among busy callers this thread may wait long for a
        // processor.
        long ended = System.nanoTime();
        ForkMeter end = ForkMeter.atEnd(counters, task.serverPid());
        hiccups.stop();
        Map<Measure, Double> measures = end.since(start);
        measures.put(Measure.SECONDS, (ended - begin) / 1e9);
        measures.put(Measure.HICCUP_P99_US, hiccups.p99Micros());
        measures.put(Measure.HICCUP_MAX_US, hiccups.maxMicros());
        return new Measured(measures, (double) (ended - middle) / (middle - begin));
    }

    /**
     * Promotes all objects to the old generation, as in a server that has run for hours. Under G1 a store into an old
     * object costs more than into a young one. Otherwise the amount of an arm's garbage would decide whether its queue
     * is in the old generation.
     */
    private static void makeOld() {
        System.gc();
    }

    /** Runs the fixed cycles and returns their time in seconds; 0 if there are none, or if they do not end. */
    private double fixedSeconds(Phases phases) throws InterruptedException {
        if (task.fixedCycles() == 0) {
            phases.pauseToEnd();
            return 0;
        }
        long start = System.nanoTime();
        boolean ended = phases.pauseToFixed(LONGEST_FIXED_SECONDS);
        return ended ? (System.nanoTime() - start) / 1e9 : 0;
    }

    private static void add(CallRecorder sum, List<CycleCaller> callers, Map<Measure, Double> measures) {
        Latency latency = sum.latency();
        long longest = callers.stream()
                .mapToLong(caller -> caller.of(Phase.PAUSE).longestNanos())
                .max()
                .orElse(0);
        long idle = callers.stream().filter(caller -> caller.cycles() == 0).count();
        measures.put(Measure.CYCLES, (double) sum.calls());
        measures.put(Measure.ERRORS, (double) sum.errors());
        measures.put(Measure.TIMEOUTS, (double) sum.timeouts());
        measures.put(Measure.MEAN_US, sum.meanNanos() / MICRO);
        measures.put(Measure.P50_US, latency.p50Micros());
        measures.put(Measure.P99_US, latency.p99Micros());
        measures.put(Measure.P999_US, latency.p999Micros());
        measures.put(Measure.LONGEST_US, Math.max(longest, sum.longestNanos()) / MICRO);
        measures.put(Measure.IDLE_CALLERS, (double) idle);
    }

    private ForkResult profiled(OpenedArm opened) throws Exception {
        int threads = task.key().condition().threads();
        OpenedArm.Cycle[] cycles = new OpenedArm.Cycle[threads];
        Arrays.setAll(cycles, opened::cycle);
        ProfiledLoad load = ProfiledLoad.record(
                task.key().arm(),
                threads,
                caller -> number -> cycles[caller].run(number) != Long.MIN_VALUE,
                task.warmUp(),
                task.window(),
                folder.resolve(RECORDING));
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        measures.put(Measure.SECONDS, load.profile().seconds());
        measures.put(Measure.CYCLES, (double) load.profile().operations());
        measures.put(Measure.ERRORS, (double) load.profile().errors());
        return ForkResult.of(task.key(), measures, opened.figures(), List.of());
    }

    /**
     * Reading of the clocks and counters of a fork: its own, those of its callers and the server's. The CPU time of an
     * unknown server is 0. Threading: immutable.
     */
    private record ForkMeter(Meter clocks, Map<Measure, Double> counters) {

        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /** Reads the clocks last, because the preceding work is not part of the measurement. */
        static ForkMeter atStart(long[] callers, long serverPid) {
            Map<Measure, Double> counters = counters(callers);
            counters.put(Measure.SERVER_CPU_SECONDS, cpuSeconds(serverPid));
            return new ForkMeter(Meter.read(), counters);
        }

        /** Reads the clocks first, because the other work is not part of the measurement. */
        static ForkMeter atEnd(Map<Measure, Double> counters, long serverPid) {
            Meter clocks = Meter.read();
            counters.put(Measure.SERVER_CPU_SECONDS, cpuSeconds(serverPid));
            return new ForkMeter(clocks, counters);
        }

        private static double cpuSeconds(long server) {
            return server == 0 ? 0 : ProcessFiles.cpuSeconds(server);
        }

        /**
         * Returns counters that only grow: those of all live threads, of the callers, and of the garbage collectors.
         */
        static Map<Measure, Double> counters(long[] callers) {
            List<ThreadInfo> threads = Stream.of(THREADS.getThreadInfo(callers))
                    .filter(Objects::nonNull)
                    .toList();
            List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
            Map<Measure, Double> counters = new EnumMap<>(Measure.class);
            counters.put(Measure.SWITCHES, (double) ProcessFiles.ownSwitches());
            counters.put(Measure.BLOCKED, sum(threads, ThreadInfo::getBlockedCount));
            counters.put(Measure.WAITED, sum(threads, ThreadInfo::getWaitedCount));
            counters.put(Measure.ALLOCATED_BYTES, (double)
                    Arrays.stream(THREADS.getThreadAllocatedBytes(callers)).sum());
            counters.put(Measure.GC_COUNT, sum(collectors, GarbageCollectorMXBean::getCollectionCount));
            counters.put(Measure.GC_SECONDS, sum(collectors, GarbageCollectorMXBean::getCollectionTime) / 1e3);
            return counters;
        }

        private static <T> double sum(List<T> all, ToLongFunction<T> count) {
            return all.stream().mapToLong(count).sum();
        }

        /** Returns the measures since {@code start}. */
        Map<Measure, Double> since(ForkMeter start) {
            Map<Measure, Double> measures = new EnumMap<>(counters);
            start.counters.forEach((measure, before) -> measures.merge(measure, -before, Double::sum));
            measures.put(Measure.CPU_SECONDS, (clocks.cpuNanos() - start.clocks.cpuNanos()) / 1e9);
            measures.put(Measure.STEAL, clocks.stealFractionSince(start.clocks));
            return measures;
        }
    }
}
