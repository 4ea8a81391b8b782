// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.faults.FaultPoints.Injection;
import io.memshard.client.faults.FaultPoints.Kind;
import io.memshard.client.faults.FaultPoints.Phase;
import io.memshard.client.faults.FaultPoints.Thrown;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An Error at any place of the client ends in a failed command and a connection that works, never in a caller that
 * hangs, a core that spins, a command in flight that is never over, or a thread that is left.
 *
 * <p>The client is run without an Error to see which places it reaches. Then it is run once for each Error drawn, which
 * happens at the first or at a later time that a place is reached. Places that start a thread also fail some times in a
 * row. Every third run has a second Error.
 *
 * <p>Another test has every allocation fail for a time, as where the heap is full, and then none.
 *
 * <p>System properties: {@code memshard.faults} is how many Errors are drawn for each way to be connected, or {@code
 * all}; {@code memshard.faults.seed} draws others, where 1 draws the same each time; {@code memshard.faults.only} is a
 * part of the names of the places to take.
 */
@Tag("deep")
class ErrorInjectionIT {

    private static final String DRAWN = System.getProperty("memshard.faults", "4");
    private static final long SEED = Long.getLong("memshard.faults.seed", 1);
    private static final String ONLY = System.getProperty("memshard.faults.only", "");

    /** What is reached differs a little from one run to the next. */
    private static final int RECORDINGS = 3;

    private static final int FAILED_STARTS = 10;

    /** Every how many-th trial has a second Error, anywhere. */
    private static final int PAIRS = 3;

    private static final int MOST_COMPLAINTS = 4;

    private final Random random = new Random(SEED);
    private final List<String> failures = new ArrayList<>();
    private Constructor<?> trials;
    private FaultProxy proxy;
    private Connected connected;

    @TempDir
    private Path directory;

    /** How the client is connected. */
    private record Connected(
            String transport,
            String protocol,
            int connections,
            @Nullable Path trusted) {

        @Override
        public String toString() {
            return transport + ", " + protocol + (connections == 1 ? "" : ", " + connections + " connections")
                    + (trusted == null ? "" : ", TLS");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CALLER_DRIVEN, META, 1",
        "CALLER_DRIVEN, META, 2",
        "CALLER_DRIVEN, CLASSIC, 1",
        "EVENT_LOOP, META, 1",
        "EVENT_LOOP, CLASSIC, 1",
        "AUTO, AUTO, 1"
    })
    void anErrorAnywhereEndsInAFailedCommandAndAConnectionThatWorks(String transport, String protocol, int connections)
            throws Exception {
        connected = new Connected(transport, protocol, connections, null);
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            survivesErrors(server.address());
        }
    }

    @NeedsProgram(Program.MEMCACHED)
    @Test
    void anErrorAnywhereInTlsEndsInAFailedCommandAndAConnectionThatWorks() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued shown = authority.issue("localhost", "127.0.0.1");
        connected = new Connected("EVENT_LOOP", "META", 1, authority.certificate());
        try (MemcachedProcess server = MemcachedProcess.startTls(shown.certificates(), shown.key())) {
            survivesErrors(server.address());
        }
    }

    /** As where the application has filled the heap. */
    @ParameterizedTest
    @CsvSource({"CALLER_DRIVEN, META, 2", "EVENT_LOOP, META, 1"})
    void aTimeInWhichEachAllocationFailsEndsInAConnectionThatWorks(String transport, String protocol, int connections)
            throws Exception {
        connected = new Connected(transport, protocol, connections, null);
        trials = newTrials();
        FaultPoints.plan(List.of());
        PrintStream err = System.err;
        System.setErr(new PrintStream(new ByteArrayOutputStream(), true));
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                FaultProxy between = new FaultProxy(server.address())) {
            proxy = between;
            // Loads the classes: the JVM does not run an initializer again that met no memory.
            assertThat((List<?>) newTrial().call()).as("without an Error").isEmpty();
            Callable<?> trial = newTrial();
            assertThat((List<?>) trial.getClass().getMethod("callThroughStorm").invoke(trial))
                    .isEmpty();
        } finally {
            System.setErr(err);
        }
    }

    private static Constructor<?> newTrials() throws ReflectiveOperationException {
        return new FaultyClassLoader()
                .loadClass(Trial.class.getName())
                .getConstructor(FaultProxy.class, String.class, String.class, int.class, Path.class);
    }

    private void survivesErrors(InetSocketAddress server) throws Exception {
        trials = newTrials();
        long start = System.nanoTime();
        try (FaultProxy between = new FaultProxy(server)) {
            proxy = between;
            List<Injection> possible = possible(recorded());
            assertThat(possible).as("places reached").isNotEmpty();
            if (ONLY.isEmpty() && connected.transport.equals("CALLER_DRIVEN")) {
                assertThat(possible).as("a large value").anyMatch(injection -> isIn(injection.point(), "LargeBuffers"));
                assertThat(connected.connections == 1
                                || possible.stream().anyMatch(injection -> isIn(injection.point(), "JointWait")))
                        .as("a wait for both connections")
                        .isTrue();
            }
            Collections.shuffle(possible, random);
            List<Injection> drawn = DRAWN.equals("all")
                    ? possible
                    : possible.subList(0, Math.min(possible.size(), Integer.parseInt(DRAWN)));
            int unmet = 0;
            for (int i = 0; i < drawn.size(); i++) {
                List<Injection> injections = i % PAIRS == 0
                        ? List.of(drawn.get(i), possible.get(random.nextInt(possible.size())))
                        : List.of(drawn.get(i));
                unmet += isMet(injections) ? 0 : 1;
            }
            System.out.printf(
                    "%s: %d of %d Errors injected, %d of them not met, in %d s; %d failed; -Dmemshard.faults.seed=%d%n",
                    connected,
                    drawn.size(),
                    possible.size(),
                    unmet,
                    Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                    failures.size(),
                    SEED);
        }
        assertThat(failures).as("with seed %d", SEED).isEmpty();
    }

    /** Returns whether the name of a place has this part. */
    private static boolean isIn(int point, String part) {
        return FaultPoints.point(point).toString().contains(part);
    }

    /** How often each place is reached where no Error happens, by phase. */
    private int[][] recorded() throws Exception {
        int[][] most = new int[Phase.values().length][];
        Arrays.fill(most, new int[0]);
        FaultPoints.plan(List.of());
        for (int i = 0; i < RECORDINGS; i++) {
            Callable<?> recording = newTrial();
            assertThat((List<?>) recording.call()).as("without an Error").isEmpty();
            int[][] hits = (int[][]) recording.getClass().getMethod("hits").invoke(recording);
            for (int phase = 0; phase < most.length; phase++) {
                most[phase] = Arrays.copyOf(most[phase], FaultPoints.size());
                for (int point = 0; point < hits[phase].length; point++) {
                    most[phase][point] = Math.max(most[phase][point], hits[phase][point]);
                }
            }
        }
        return most;
    }

    private Callable<?> newTrial() throws ReflectiveOperationException {
        return (Callable<?>) trials.newInstance(
                proxy, connected.transport, connected.protocol, connected.connections, connected.trusted);
    }

    private List<Injection> possible(int[][] hits) {
        List<Injection> possible = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            for (int point = 0; point < hits[phase.ordinal()].length; point++) {
                int times = hits[phase.ordinal()][point];
                if (times == 0 || !isIn(point, ONLY)) {
                    continue;
                }
                possible.add(new Injection(phase, point, 1, 1));
                if (times > 1) {
                    possible.add(new Injection(phase, point, random.nextInt(2, 2 + times / 2), 1));
                }
                Kind kind = FaultPoints.point(point).kind();
                if (phase == Phase.LOAD && (kind == Kind.START || kind == Kind.EXECUTE)) {
                    possible.add(new Injection(phase, point, 1, FAILED_STARTS));
                }
            }
        }
        return possible;
    }

    /** Runs a trial; false if it ended before an Error could happen. */
    private boolean isMet(List<Injection> injections) throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        List<?> complaints = played(injections, log);
        Thrown thrown = FaultPoints.thrown();
        if (!complaints.isEmpty()) {
            String failure = described(injections, thrown, complaints);
            failures.add(failure);
            System.out.println(failure + "\n    log: " + log);
        }
        return thrown != null;
    }

    /** What the client logs is of interest only where a trial fails: it tells of each Error. */
    private List<?> played(List<Injection> injections, ByteArrayOutputStream log) throws Exception {
        PrintStream err = System.err;
        FaultPoints.plan(injections);
        System.setErr(new PrintStream(log, true));
        try {
            return (List<?>) newTrial().call();
        } finally {
            System.setErr(err);
        }
    }

    private String described(List<Injection> injections, @Nullable Thrown thrown, List<?> complaints) {
        StringBuilder told = new StringBuilder(connected + " FAILED: " + injections);
        if (thrown == null) {
            told.append("; not met");
        } else {
            told.append("; thrown by ").append(thrown.thread().getName());
            for (StackTraceElement frame : thrown.error().getStackTrace()) {
                told.append("\n        at ").append(frame);
            }
        }
        complaints.stream()
                .limit(MOST_COMPLAINTS)
                .forEach(complaint -> told.append("\n    ").append(complaint));
        return told.toString();
    }
}
