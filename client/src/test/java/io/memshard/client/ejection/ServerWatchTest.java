// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a server is ejected, probed and taken back, by a clock of the test. */
class ServerWatchTest {

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final EjectionOptions OPTIONS =
            new EjectionOptions(3, new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5)));

    private final class Recorded implements ServerWatch.Actions {

        private final List<ServerStatus> changes = new ArrayList<>();
        private final List<Long> probes = new ArrayList<>();
        private int reconnects;
        private boolean reconnected = true;
        private boolean cutOff;
        private String whyUnreachable;

        @Override
        public void probe() {
            probes.add(now);
        }

        @Override
        public void reconnect() {
            reconnects++;
        }

        @Override
        public boolean isReconnected() {
            return reconnected;
        }

        @Override
        public boolean isCutOff() {
            return cutOff;
        }

        @Override
        public String whyUnreachable() {
            return whyUnreachable;
        }

        @Override
        public void changed(ServerStatus before, ServerStatus after) {
            changes.add(after);
        }

        private List<ServerState> states() {
            return changes.stream().map(ServerStatus::state).toList();
        }
    }

    private long now = Long.MAX_VALUE - SECOND; // As nanoTime may be: it runs over within the test.
    private Instant instant = Instant.EPOCH;
    private final Recorded recorded = new Recorded();
    private final ServerWatch watch =
            new ServerWatch(new ServerAddress("a", 1), recorded, () -> instant, new Random(7));

    @BeforeEach
    void begin() {
        watch.eject(OPTIONS, false);
        tick();
    }

    private void tick() {
        tick(TICK);
    }

    private void tick(long nanos) {
        now += nanos;
        instant = instant.plusNanos(nanos);
        watch.tick(now);
    }

    private void pass(long nanos) {
        for (long passed = 0; passed < nanos; passed += TICK) {
            tick();
        }
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            watch.failed("cannot connect");
            tick();
        }
    }

    private void timeOut(long givenNanos) {
        watch.timedOut(now - givenNanos, now, "no reply");
        tick();
    }

    private void eject() {
        fail(OPTIONS.ejectAfter());
        assertThat(watch.isEjected()).isTrue();
    }

    private void probe(String failure) {
        int before = recorded.probes.size();
        while (recorded.probes.size() == before) {
            tick();
        }
        watch.probed(failure);
        tick();
    }

    @Test
    void failuresInARowEjectWithTheirReasonAndTheTime() {
        fail(2);
        assertThat(watch.isEjected()).isFalse();
        watch.failed("cannot connect to a:1: Connection refused");
        tick();

        assertThat(watch.isEjected()).isTrue();
        assertThat(watch.status())
                .isEqualTo(new ServerStatus(
                        new ServerAddress("a", 1),
                        ServerState.EJECTED,
                        "3 failures in a row, the last: cannot connect to a:1: Connection refused",
                        instant));
        assertThat(recorded.changes).containsExactly(watch.status());
    }

    /** What happens twenty times to a server that is in use all the same. */
    private enum Harmless {
        REPLY_AFTER_FAILURES(test -> {
            test.fail(2);
            test.watch.replied(1, 0);
            test.tick();
        }),
        REPLY_BESIDE_A_FAILURE(test -> {
            test.watch.replied(1, 0);
            test.fail(1);
        }),
        TIMEOUT_OF_A_COMMAND_AFTER_WHICH_OTHERS_WERE_ANSWERED(test -> {
            test.pass(SECOND / 2);
            test.watch.replied(1, 0);
            test.tick();
            test.timeOut(SECOND / 2);
        }),
        TIMEOUT_AFTER_THIS_PROCESS_STOOD_STILL(test -> {
            test.watch.timedOut(test.now, test.now, "no reply");
            test.tick(SECOND);
        }),
        /** The replies lay unread, and callers woke up before the reader. */
        TIMEOUTS_BEFORE_REPLIES_ARE_READ_AFTER_A_STANDSTILL(test -> {
            test.watch.timedOut(test.now, test.now + SECOND, "no reply");
            test.tick(SECOND);
            test.watch.timedOut(test.now - SECOND, test.now, "no reply");
            test.watch.replied(0, 2);
            test.tick();
        }),
        NO_CONNECTION_WHILE_THIS_PROCESS_STOOD_STILL(test -> {
            test.recorded.cutOff = true;
            test.tick(SECOND);
        }),
        LOSS_THAT_IS_MADE_UP_FOR_WITHIN_A_SECOND(test -> {
            test.watch.eject(EjectionOptions.DEFAULTS, false);
            test.watch.failed("connection lost");
            test.recorded.cutOff = true;
            test.tick();
            test.pass(SECOND - TICK);
            test.recorded.cutOff = false;
            test.pass(2 * SECOND);
            test.watch.replied(1, 0);
            test.tick();
        });

        private final Consumer<ServerWatchTest> event;

        Harmless(Consumer<ServerWatchTest> event) {
            this.event = event;
        }
    }

    @ParameterizedTest
    @EnumSource
    void serverIsNotEjectedFor(Harmless harmless) {
        for (int i = 0; i < 20; i++) {
            harmless.event.accept(this);
        }
        assertThat(recorded.changes).isEmpty();
    }

    @Test
    void connectionsThatFailTogetherAreOneFailure() {
        for (int i = 0; i < 1_000; i++) {
            watch.failed("connection lost");
            watch.timedOut(now, now, "no reply");
        }
        tick();
        pass(SECOND);
        assertThat(watch.isEjected()).isFalse();
        fail(2);
        assertThat(watch.isEjected()).isTrue();
    }

    @Test
    void timeoutsOfCommandsThatWaitedTogetherAreOneFailure() {
        pass(SECOND);
        for (int i = 0; i < 10; i++) {
            timeOut(SECOND / 2); // Each was sent before the first had failed.
        }
        assertThat(watch.isEjected()).isFalse();
    }

    @Test
    void timeoutsOfAStandstillCountIfNothingIsReadAfterIt() {
        for (int i = 0; i < OPTIONS.ejectAfter(); i++) {
            assertThat(watch.isEjected()).isFalse();
            watch.timedOut(now, now + SECOND, "no reply");
            tick(SECOND);
            tick();
        }
        assertThat(watch.isEjected()).isTrue();
    }

    @Test
    void secondWithoutAnyConnectionEjects() {
        watch.eject(EjectionOptions.DEFAULTS, false);
        watch.failed("connection lost");
        recorded.cutOff = true;
        tick();
        pass(SECOND);
        assertThat(watch.isEjected()).isTrue();
        assertThat(watch.status().reason()).isEqualTo("5 failures in a row, the last: no connection is open");
    }

    @Test
    void serverThatIsNotEjectedIsUnreachableWithoutAConnection() {
        watch.eject(OPTIONS, true);
        recorded.whyUnreachable = "refused";
        pass(2 * SECOND - TICK);
        assertThat(recorded.changes).isEmpty();
        tick();
        assertThat(watch.status().state()).isEqualTo(ServerState.UNREACHABLE);
        assertThat(watch.status().reason()).isEqualTo("refused");
        assertThat(watch.isEjected()).isFalse();
        recorded.whyUnreachable = null;
        tick();
        assertThat(watch.status().state()).isEqualTo(ServerState.UP);
    }

    @Test
    void ejectedServerIsTakenBackWhenNothingIsToBeEjectedAnyMore() {
        eject();
        watch.eject(null, false);
        tick();
        assertThat(watch.isEjected()).isFalse();
        assertThat(watch.status().state()).isEqualTo(ServerState.UP);
    }

    @Test
    void serverIsTakenBackAfterSeveralAnswers() {
        eject();
        probe(null);
        assertThat(watch.status().state()).isEqualTo(ServerState.PROBING);
        assertThat(watch.isEjected()).isTrue();
        probe(null);
        assertThat(watch.isEjected()).isFalse();
        assertThat(watch.status().reason()).isEqualTo("it answered 2 probes");
        assertThat(recorded.states()).containsExactly(ServerState.EJECTED, ServerState.PROBING, ServerState.UP);
        assertThat(recorded.reconnects).isEqualTo(2);
    }

    @Test
    void answersHaveToComeInARow() {
        eject();
        for (int i = 0; i < 5; i++) {
            probe(null);
            probe("no answer");
            assertThat(watch.status().state()).isEqualTo(ServerState.EJECTED);
            assertThat(watch.status().reason()).isEqualTo("it failed to answer another probe: no answer");
        }
        probe(null);
        probe(null);
        assertThat(watch.isEjected()).isFalse();
    }

    @Test
    void repliesOfOtherTimesDoNotTakeAServerBack() {
        eject();
        for (int i = 0; i < 10; i++) {
            watch.replied(1, 0);
            tick();
        }
        assertThat(watch.isEjected()).isTrue();
    }

    @Test
    void serverIsTakenBackWhenItsConnectionsAreOpenAgain() {
        eject();
        recorded.reconnected = false;
        probe(null);
        probe(null);
        pass(SECOND);
        assertThat(watch.isEjected()).isTrue();
        recorded.reconnected = true;
        tick();
        assertThat(watch.isEjected()).isFalse();
    }

    @Test
    void connectionThatCannotBeOpenedKeepsNoServerAway() {
        eject();
        recorded.reconnected = false;
        probe(null);
        probe(null);
        pass(2 * SECOND);
        assertThat(watch.isEjected()).isFalse();
    }

    /** Full jitter: a single wait may be short, so their longest tell. */
    @Test
    void waitsBetweenProbesGrowUpToTheirLimitAndDiffer() {
        eject();
        for (int i = 0; i < 200; i++) {
            probe("no answer");
        }
        assertThat(longestWait(0, 3)).isLessThanOrEqualTo(2 * SECOND);
        assertThat(longestWait(5, 200)).isBetween(4 * SECOND, 5 * SECOND + 3 * TICK);
        assertThat(recorded.probes.stream().distinct()).hasSize(200);
        assertThat(waits(5, 200).stream().distinct().count()).isGreaterThan(30);
        assertThat(recorded.states()).as("nothing new is told").containsExactly(ServerState.EJECTED);
    }

    private List<Long> waits(int from, int to) {
        List<Long> waits = new ArrayList<>();
        for (int i = from + 1; i < to; i++) {
            waits.add(recorded.probes.get(i) - recorded.probes.get(i - 1));
        }
        return waits;
    }

    private long longestWait(int from, int to) {
        return waits(from, to).stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    @Test
    void oneProbeAtATime() {
        eject();
        pass(60 * SECOND);
        assertThat(recorded.probes).hasSize(1);
    }
}
