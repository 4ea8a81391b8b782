// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.ProfiledLoad.Call;
import io.memshard.bench.machine.LoadEvent;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Profiler that puts one contender under load and records its waits. The run is not timed: with thresholds of 0 ms each
 * wait writes an event, which slows contenders with many waits.
 *
 * <p>The callers are running before the recording starts, so that the recording contains neither their start nor the
 * connecting. They wait at no barrier, so that no wait of the profiler is recorded.
 *
 * <p>Threading: confined to one thread, which starts the callers and ends them before it returns.
 */
final class LockProfiler {

    /** First part of the name of every thread that calls. */
    static final String CALLER = "caller-";

    private static final Duration END_OF_CALLERS = Duration.ofSeconds(10);

    private final Configuration settings;
    private final Duration warmUp;
    private final Duration window;

    /** System that is recorded, as {@link LockProfile} describes it. */
    record Subject(String contender, int connections, int threads) {

        /** Returns the name of its recording in a results folder. */
        String recordingName() {
            return "locks-" + contender + "-t" + threads + ".jfr";
        }
    }

    /** Creates a profiler with the settings of {@code locks.jfc}. Callers run for {@code warmUp} before it records. */
    LockProfiler(Duration warmUp, Duration window) {
        RecorderMemory.reserve();
        this.settings = settings();
        this.warmUp = warmUp;
        this.window = window;
    }

    /** Returns the settings of the recordings, which are also a file for {@code -XX:StartFlightRecording}. */
    static Configuration settings() {
        try {
            return Configuration.create(new StringReader(TextFile.resource(LockProfiler.class, "locks.jfc")));
        } catch (IOException | ParseException e) {
            throw new IllegalStateException("locks.jfc is not a JFR configuration: " + e.getMessage(), e);
        }
    }

    /**
     * Runs the load and writes its recording to {@code file}, replacing an existing one.
     *
     * @throws IOException if the recording cannot be written
     * @throws InterruptedException if this thread is interrupted; the callers are stopped first
     */
    void record(Subject subject, IntFunction<Call> callers, Path file) throws IOException, InterruptedException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Load load = new Load();
        List<Thread> threads = threads(subject, callers, load);
        try (Recording recording = new Recording(settings)) {
            recording.setName(subject.recordingName());
            warmUp(threads);
            recording.start();
            long operations = load.operations.sum();
            long errors = load.errors.sum();
            LoadEvent event = LoadEvent.begun(subject.contender(), subject.connections(), subject.threads());
            Thread.sleep(window.toMillis());
            event.end(load.operations.sum() - operations, load.errors.sum() - errors);
            recording.stop();
            recording.dump(file);
        } finally {
            load.stopped = true;
            end(threads);
        }
    }

    /** State that the callers share. */
    private static final class Load {
        private final LongAdder operations = new LongAdder();
        private final LongAdder errors = new LongAdder();
        /** True once the load is to end. Written by the measuring thread, read by the callers before each call. */
        private volatile boolean stopped;
    }

    /**
     * Starts the callers. For the first half of the time one caller runs alone, because the JIT compiler would wait
     * long for CPU time among many callers.
     */
    private void warmUp(List<Thread> threads) throws InterruptedException {
        threads.get(0).start();
        Thread.sleep(warmUp.toMillis() / 2);
        threads.subList(1, threads.size()).forEach(Thread::start);
        Thread.sleep(warmUp.toMillis() / 2);
    }

    private static List<Thread> threads(Subject subject, IntFunction<Call> callers, Load load) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < subject.threads(); i++) {
            Call call = callers.apply(i);
            Thread thread = new Thread(() -> loop(call, load), CALLER + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
        return threads;
    }

    private static void loop(Call call, Load load) {
        for (long number = 0; !load.stopped; number++) {
            try {
                (call.call(number) ? load.operations : load.errors).increment();
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) {
                load.errors.increment();
            }
        }
    }

    private static void end(List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + END_OF_CALLERS.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            thread.interrupt();
        }
    }

    /**
     * Memory of the flight recorder, enough for a whole load window. By default the recorder has ten megabytes and a
     * thread that writes them to disk. If callers outnumber processors, that thread is too late. Events of the fastest
     * contenders are then dropped.
     *
     * <p>Threading: thread-safe.
     */
    static final class RecorderMemory {

        private static final String[] SIZE = {"globalbuffercount=256", "globalbuffersize=512k", "thread_buffer_size=64k"
        };

        private RecorderMemory() {}

        /**
         * Reserves memory for the recorder, as {@code jcmd JFR.configure} does. Has an effect only before the first
         * recording of this process, and only in a JVM with diagnostic commands. A recording that lost events has
         * events {@code jdk.DataLoss}.
         */
        static void reserve() {
            try {
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "jfrConfigure",
                                new Object[] {SIZE},
                                new String[] {String[].class.getName()});
            } catch (JMException | RuntimeException e) {
                // The recorder keeps its default memory.
            }
        }
    }
}
