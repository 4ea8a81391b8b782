// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.LoadEvent;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.run.ArmLoad.Caller;
import io.memshard.bench.lab.run.ArmLoad.Phase;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.ProcessFiles;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.server.PlainSocket;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StringReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.ToLongFunction;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/** Profiler that measures one fork. JMH's main thread calls all methods, and a second thread measures. */
public final class ForkProfiler implements InternalProfiler {

    static final String TASK = "task";

    static final String RECORDING = "locks.jfr";
    static final String ROUND_TRIP = "rtt_us";

    /** 99th percentile of the delay with which free callers began calls that were due. */
    public static final String LAG = "lag_p99_us";

    public static final String WARM_UP = "warm_up_seconds";
    private static final String BATCH = "batch";
    private static final double MICRO = 1e3;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Path folder;
    private final Task task;
    private double roundTripMicros = Double.NaN;
    private final CompletableFuture<ForkResult> measured = new CompletableFuture<>();

    public ForkProfiler(String folder) {
        this.folder = Path.of(folder);
        this.task = Task.read(this.folder.resolve(TASK));
    }

    /** Task of one fork. The task is serialized, because reading JSON would take a quarter of a second longer. */
    record Task(ForkKey key, Duration warmUp, Duration window, String server, long serverPid, String outage)
            implements Serializable {

        void write(Path file) throws IOException {
            Files.createDirectories(file.getParent());
            try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
                out.writeObject(this);
            }
        }

        static Task read(Path file) {
            try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
                return (Task) in.readObject();
            } catch (IOException e) {
                throw TextFile.failure("read", file, e);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public String getDescription() {
        return "measures a fork of the lab and writes its row";
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        // The first reading loads classes, which may take long while callers are busy.
        counters(new long[0]);
        growth(allocated(), allocated());
        BusyCheck.ticks();
        roundTripMicros = task.server().isEmpty() ? Double.NaN : PlainSocket.roundTripMicros(task.server());
        ArmLoad.timeByProfiler();
        Thread thread = new Thread(this::measure, "fork-meter");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams params, IterationParams iteration, IterationResult found) {
        ForkFile.append(folder.resolve(ForkFile.NAME), measured.join());
        if (!ArmLoad.opened().isCompletedExceptionally()) {
            try {
                // A method with @TearDown would make all callers but one sleep for a second.
                ArmLoad.opened().join().arm().close();
            } catch (Exception e) {
                throw new IllegalStateException("the arm cannot be closed: " + e, e);
            }
        }
        return List.of();
    }

    private void measure() {
        ArmLoad load;
        try {
            load = ArmLoad.opened().join();
        } catch (CompletionException e) {
            measured.complete(ForkResult.failed(task.key(), String.valueOf(e.getCause())));
            return;
        }
        try {
            measured.complete(task.key().profiled() ? record(load) : measure(load));
        } catch (BenchException e) {
            measured.complete(ForkResult.failed(task.key(), String.valueOf(e.getMessage())));
        } catch (InterruptedException | IOException | ParseException | RuntimeException | Error e) {
            measured.completeExceptionally(e);
        } finally {
            load.end();
        }
    }

    private ForkResult measure(ArmLoad load) throws InterruptedException, IOException {
        List<Caller> callers = load.awaitCallers();
        Thread.sleep(task.warmUp().toMillis() / 2);
        // Moves all objects to the old generation, as in an old server: under G1, a write to an old object costs more.
        System.gc();
        Thread.sleep(task.warmUp().toMillis() / 2);
        long[] ids = callers.stream().mapToLong(caller -> caller.threadId).toArray();
        HiccupMeter hiccups = new HiccupMeter();
        hiccups.start();
        Map<Long, Long> allocated = allocated();
        Map<Measure, Double> before = counters(ids);
        long[] ticks = BusyCheck.ticks();
        long cpu = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        load.warmUpToMeasure();
        Outage.begin(task.outage());
        Thread.sleep(task.window().toMillis() / 2);
        load.measureToLate();
        long middle = System.nanoTime();
        Thread.sleep(task.window().toMillis() / 2);
        Map<Measure, Double> measures = counters(ids);
        load.measureToPause();
        // The clock is read first, because busy callers may delay this thread.
        long ended = System.nanoTime();
        cpu = SYSTEM.getProcessCpuTime() - cpu;
        measures.put(Measure.ALL_ALLOCATED_BYTES, growth(allocated, allocated()));
        measures.put(Measure.STEAL, BusyCheck.steal(ticks, BusyCheck.ticks()));
        hiccups.stop();
        before.forEach((measure, count) -> measures.merge(measure, -count, Double::sum));
        measures.put(Measure.CPU_SECONDS, cpu / 1e9);
        measures.put(Measure.SECONDS, (ended - begin) / 1e9);
        measures.put(Measure.HICCUP_P99_US, hiccups.p99Micros());
        load.awaitPause();
        return result(load, callers, measures, (double) (ended - middle) / (middle - begin));
    }

    /** Returns the bytes that each live thread has allocated, by the id of the thread. */
    private static Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            allocated.put(ids[i], Math.max(0, bytes[i])); // The bytes are -1 if the thread has just ended.
        }
        return allocated;
    }

    /** Returns the sum of the growths. Threads that began in between count; threads that ended do not. */
    static double growth(Map<Long, Long> before, Map<Long, Long> after) {
        return after.entrySet().stream()
                .mapToLong(thread -> Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L)))
                .sum();
    }

    private Map<Measure, Double> counters(long[] callers) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        Map<Measure, Double> counters = new EnumMap<>(Measure.class);
        counters.put(Measure.SERVER_CPU_SECONDS, ProcessFiles.cpuSeconds(task.serverPid()));
        counters.put(Measure.SWITCHES, (double) ProcessFiles.ownSwitches());
        counters.put(Measure.ALLOCATED_BYTES, (double)
                Arrays.stream(THREADS.getThreadAllocatedBytes(callers)).sum());
        counters.put(Measure.GC_COUNT, sum(collectors, GarbageCollectorMXBean::getCollectionCount));
        counters.put(Measure.GC_SECONDS, sum(collectors, GarbageCollectorMXBean::getCollectionTime) / 1e3);
        return counters;
    }

    private static <T> double sum(List<T> all, ToLongFunction<T> count) {
        return all.stream().mapToLong(count).sum();
    }

    /** Records waits. The throughput is not measured, because the recording reduces the throughput. */
    private ForkResult record(ArmLoad load) throws InterruptedException, IOException, ParseException {
        List<Caller> callers = load.awaitCallers();
        Thread.sleep(task.warmUp().toMillis());
        String settings = TextFile.resource(LoadEvent.class, "locks.jfc");
        try (Recording recording = new Recording(Configuration.create(new StringReader(settings)))) {
            recording.start();
            long start = System.nanoTime();
            load.warmUpToMeasure();
            LoadEvent event = new LoadEvent();
            event.begin();
            Thread.sleep(task.window().toMillis());
            event.end(); // Ends before the callers wait for the end.
            load.measureToPause();
            double seconds = (System.nanoTime() - start) / 1e9;
            load.awaitPause();
            CallRecorder sum = new CallRecorder();
            callers.forEach(caller -> sum.add(caller.of(Phase.MEASURE)));
            event.operations = sum.calls;
            event.commit();
            recording.stop();
            recording.dump(folder.resolve(RECORDING));
            return ForkResult.of(
                    task.key(),
                    Map.of(
                            Measure.SECONDS,
                            seconds,
                            Measure.CYCLES,
                            (double) sum.calls,
                            Measure.ERRORS,
                            (double) sum.errors + sum.timeouts),
                    load.arm().figures(),
                    List.of());
        }
    }

    private ForkResult result(ArmLoad load, List<Caller> callers, Map<Measure, Double> measures, double lateOverEarly) {
        CallRecorder sum = new CallRecorder();
        CallRecorder lag = new CallRecorder();
        callers.forEach(caller -> {
            sum.add(caller.of(Phase.MEASURE));
            sum.add(caller.of(Phase.MEASURE_LATE));
            lag.add(caller.lag);
        });
        if (sum.firstFailure != null && sum.calls == 0) {
            return ForkResult.failed(task.key(), "every cycle failed; the first failure: " + sum.firstFailure);
        }
        add(sum, callers, measures);
        TreeMap<String, Double> figures = new TreeMap<>(load.arm().figures());
        double late = sum(callers, caller -> caller.of(Phase.MEASURE_LATE).calls);
        if (sum.calls > late) {
            figures.put(Metric.DRIFT, late / (sum.calls - late) / lateOverEarly);
        }
        if (task.key().condition().rate() > 0) {
            figures.put(WARM_UP, task.warmUp().toMillis() / 1e3);
            figures.put(LAG, lag.micros(99));
        }
        if (task.key().condition().hasOutage()) {
            figures.putAll(BySecond.figures(callers, (int) task.window().toSeconds()));
        }
        if (load.batch() > 1) {
            figures.put(BATCH, (double) load.batch());
        }
        if (!Double.isNaN(roundTripMicros)) {
            figures.put(ROUND_TRIP, roundTripMicros);
        }
        List<Long> cycles = callers.stream().map(Caller::cycles).toList();
        return ForkResult.of(task.key(), measures, figures, cycles);
    }

    private static void add(CallRecorder sum, List<Caller> callers, Map<Measure, Double> measures) {
        long longest = callers.stream()
                .mapToLong(caller -> caller.of(Phase.PAUSE).longestNanos)
                .max()
                .orElse(0);
        long idle = callers.stream().filter(caller -> caller.cycles() == 0).count();
        measures.put(Measure.CYCLES, (double) sum.calls);
        measures.put(Measure.ERRORS, (double) sum.errors);
        measures.put(Measure.TIMEOUTS, (double) sum.timeouts);
        measures.put(Measure.MEAN_US, sum.meanNanos() / MICRO);
        measures.put(Measure.P50_US, sum.micros(50));
        measures.put(Measure.P99_US, sum.micros(99));
        measures.put(Measure.P999_US, sum.micros(99.9));
        measures.put(Measure.LONGEST_US, Math.max(longest, sum.longestNanos) / MICRO);
        measures.put(Measure.IDLE_CALLERS, (double) idle);
    }
}
