// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ConnectionChooserTest {

    static Stream<ConnectionChooser> choosers() {
        return Stream.of(
                ConnectionChooser.roundRobin(),
                ConnectionChooser.stickyRoundRobin(),
                ConnectionChooser.threadAffinity(),
                ConnectionChooser.leastInFlight());
    }

    @ParameterizedTest
    @MethodSource("choosers")
    void theOnlyReadyConnectionIsChosenWhereverItIs(ConnectionChooser chooser) {
        for (int ready = 0; ready < 5; ready++) {
            FakeCandidates candidates = new FakeCandidates(5).notReady(0, 1, 2, 3, 4);
            FakeCandidates oneReady = new FakeCandidates(5);
            for (int i = 0; i < 5; i++) {
                if (i != ready) {
                    oneReady.notReady(i);
                }
            }
            for (int i = 0; i < 50; i++) {
                assertThat(chooser.choose(oneReady)).isEqualTo(ready);
                assertThat(chooser.choose(candidates)).isEqualTo(ConnectionChooser.NONE);
            }
        }
    }

    @Test
    void roundRobinUsesEachConnectionInTurnAndSkipsWhatIsNotReady() throws InterruptedException {
        ConnectionChooser chooser = ConnectionChooser.roundRobin();
        FakeCandidates allUp = new FakeCandidates(3);
        assertThat(runs(chooser, allUp)).containsExactly(0, 1, 2, 0);
        assertThat(runs(chooser, new FakeCandidates(3).notReady(1))).containsExactly(2, 2, 0, 2);
        assertThat(runs(chooser, allUp)).containsExactly(2, 0, 1, 2);

        List<Integer> ofAnotherThread = new ArrayList<>();
        Thread thread = new Thread(() -> ofAnotherThread.addAll(runs(chooser, allUp)));
        thread.start();
        thread.join();
        assertThat(ofAnotherThread).as("the second thread").containsExactly(1, 2, 0, 1);
    }

    /** Returns the connections of four times 16 commands. */
    private static List<Integer> runs(ConnectionChooser chooser, FakeCandidates candidates) {
        List<Integer> runs = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            runs.add(chooser.choose(candidates));
            for (int i = 1; i < 16; i++) {
                assertThat(chooser.choose(candidates)).isEqualTo(runs.get(run));
            }
        }
        return runs;
    }

    @Test
    void threadAffinityIsTheIdModuloTheSize() throws InterruptedException {
        FakeCandidates candidates = new FakeCandidates(3);
        for (int t = 0; t < 6; t++) {
            Set<Integer> chosen = new HashSet<>();
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    chosen.add(ConnectionChooser.threadAffinity().choose(candidates));
                }
            });
            thread.start();
            thread.join();
            assertThat(chosen).containsExactly((int) (thread.getId() % 3));
        }
    }

    @Test
    void stickyRoundRobinKeepsEachThreadOnItsConnection() throws InterruptedException {
        ConnectionChooser chooser = ConnectionChooser.stickyRoundRobin();
        FakeCandidates candidates = new FakeCandidates(3);
        List<List<Integer>> chosen = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            List<Integer> own = new ArrayList<>();
            Thread thread = new Thread(() -> IntStream.range(0, 4).forEach(i -> own.add(chooser.choose(candidates))));
            thread.start();
            thread.join();
            chosen.add(own);
        }
        assertThat(chosen)
                .containsExactlyElementsOf(IntStream.range(0, 6)
                        .mapToObj(t -> Collections.nCopies(4, t % 3))
                        .toList());
    }

    @Test
    void stickyRoundRobinGoesBackToItsConnectionWhenThatIsReadyAgain() {
        ConnectionChooser chooser = ConnectionChooser.stickyRoundRobin();
        assertThat(chooser.choose(new FakeCandidates(2))).isZero();
        assertThat(chooser.choose(new FakeCandidates(2).notReady(0))).isEqualTo(1);
        assertThat(chooser.choose(new FakeCandidates(2))).isZero();
    }

    /** An application with a chooser of its own, as {@link #choosersOfAStoppedApplicationAreUnloaded} loads it. */
    public static final class Application implements Runnable {

        private static final ConnectionChooser CHOOSER = ConnectionChooser.stickyRoundRobin();

        @Override
        public void run() {
            CHOOSER.choose(new FakeCandidates(2));
        }
    }

    @Test
    void choosersOfAStoppedApplicationAreUnloaded() throws Exception {
        ExecutorService outlives = Executors.newSingleThreadExecutor();
        try {
            WeakReference<ClassLoader> application = outlives.submit(() -> {
                        try (URLClassLoader own =
                                new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
                            ((Runnable) own.loadClass(Application.class.getName())
                                            .getDeclaredConstructor()
                                            .newInstance())
                                    .run();
                            return new WeakReference<ClassLoader>(own);
                        }
                    })
                    .get();
            eventually("unloaded", () -> {
                System.gc();
                return application.get() == null;
            });
        } finally {
            outlives.shutdownNow();
        }
    }

    private static URL[] classPath() {
        return Stream.of(ConnectionChooser.class, ConnectionChooserTest.class)
                .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
    }

    @Test
    void leastInFlightNeverTakesTheMostLoadedAndUsesAllOthers() {
        FakeCandidates candidates = new FakeCandidates(4).inFlight(2, 100);
        ConnectionChooser chooser = ConnectionChooser.leastInFlight();
        int[] counts = new int[4];
        for (int i = 0; i < 3_000; i++) {
            counts[chooser.choose(candidates)]++;
        }
        assertThat(counts[2]).isZero();
        // Of 1,000 expected: 500 are 19 standard deviations away.
        assertThat(counts[0]).isGreaterThan(500);
        assertThat(counts[1]).isGreaterThan(500);
        assertThat(counts[3]).isGreaterThan(500);
    }
}
