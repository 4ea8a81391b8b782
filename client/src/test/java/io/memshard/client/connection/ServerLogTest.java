// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ServerLogTest {

    private static final IOException CAUSE = new IOException("refused");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final RecordedLog lines = new RecordedLog();
    private final ServerAddress server = new ServerAddress("a", 1);
    private final ServerLog log = new ServerLog(server, lines.logger(), now::get);
    private final List<Connection> connections = IntStream.range(0, 16)
            .mapToObj(i -> (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                        throw new AssertionError(method + " called with the lock held");
                    }))
            .toList();

    private LinkContext context(int index) {
        return new LinkContext(server, index, ConnectionOptions.DEFAULTS, Protocol.META);
    }

    private void fails(int index, String message) {
        log.failed(connections.get(index), context(index), message, CAUSE);
    }

    private void logged(String... expected) {
        assertThat(lines.lines()).containsExactly(expected);
    }

    private void passes(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 50) {
            now.addAndGet(Duration.ofMillis(50).toNanos());
            log.tick();
        }
    }

    @Test
    void failuresOfAllConnectionsAreToldOnceAndThenSummedUpEachMinute() {
        for (int i = 0; i < 16; i++) {
            fails(i, "refused");
        }
        logged("WARN a:1[0]: refused");

        for (int second = 1; second <= 180; second++) {
            passes(Duration.ofSeconds(1));
            fails(second % 16, "refused " + second);
        }
        logged(
                "WARN a:1[0]: refused",
                "WARN a:1: 16 connection(s) not connected after 74 failure(s) in the last minute, the last: refused"
                        + " 59",
                "WARN a:1: 16 connection(s) not connected after 60 failure(s) in the last minute, the last: refused"
                        + " 119",
                "WARN a:1: 16 connection(s) not connected after 60 failure(s) in the last minute, the last: refused"
                        + " 179");
    }

    private ServerStatus status(ServerState state, String reason) {
        return new ServerStatus(server, state, reason, Instant.EPOCH);
    }

    @Test
    void ejectionAndReturnAreToldOnceAMinute() {
        for (int second = 0; second < 120; second++) {
            ServerStatus up = status(ServerState.UP, "it answered 2 probes");
            ServerStatus ejected = status(ServerState.EJECTED, "5 failures in a row, the last: " + second);
            ServerStatus probing = status(ServerState.PROBING, "it answered a probe");
            log.changed(up, ejected);
            log.changed(ejected, probing);
            log.changed(probing, ejected);
            log.changed(ejected, probing);
            log.changed(probing, up);
            passes(Duration.ofSeconds(1));
        }
        assertThat(lines.lines())
                .filteredOn(line -> !line.startsWith("DEBUG"))
                .containsExactly(
                        "WARN a:1: ejected after 5 failures in a row, the last: 0",
                        "INFO a:1: taken back: it answered 2 probes",
                        "WARN a:1: ejected 59 more time(s) in the last minute, in use now; the last one after 5"
                                + " failures in a row, the last: 59",
                        "WARN a:1: ejected 60 more time(s) in the last minute, in use now; the last one after 5"
                                + " failures in a row, the last: 119");
    }

    @Test
    void aServerThatIsEjectedIsNotCalledReady() {
        fails(0, "lost");
        log.changed(status(ServerState.UP, "new"), status(ServerState.EJECTED, "5 failures"));
        log.recovered(connections.get(0));
        log.changed(status(ServerState.PROBING, "a probe"), status(ServerState.UP, "2 probes"));

        logged(
                "WARN a:1[0]: lost",
                "WARN a:1: ejected after 5 failures",
                "INFO a:1: connected after 0.0 s, 0 attempts, still ejected",
                "INFO a:1: taken back: 2 probes");
    }

    @Test
    void ejectionsThatWereNotLoggedAreCountedAMinuteLater() {
        for (int i = 0; i < 4; i++) {
            log.changed(status(ServerState.UP, "new"), status(ServerState.EJECTED, "cause " + i));
            passes(Duration.ofSeconds(1));
            log.changed(status(ServerState.EJECTED, "cause " + i), status(ServerState.UP, "2 probes"));
        }
        passes(Duration.ofMinutes(5));

        logged(
                "WARN a:1: ejected after cause 0",
                "INFO a:1: taken back: 2 probes",
                "WARN a:1: ejected 3 more time(s) in the last minute, in use now; the last one after cause 3");
    }

    @Test
    void causeOfAnotherKindIsLoggedAtOnceAndOnlyOnceInAnOutage() {
        List<IOException> causes = List.of(
                new IOException("reset"),
                new ConnectException("refused"),
                new IOException("no", new SSLHandshakeException("expired")),
                new AuthenticationRefusedException("password", CAUSE));
        for (int i = 0; i < 3; i++) {
            for (IOException cause : causes) {
                log.failed(connections.get(0), context(0), cause.getMessage(), cause);
                passes(Duration.ofSeconds(1));
            }
        }

        logged("WARN a:1[0]: reset", "WARN a:1[0]: refused", "WARN a:1[0]: no", "WARN a:1[0]: password");
    }

    @Test
    void recoveryIsToldOnceWhenTheLastConnectionHasRecovered() {
        fails(0, "lost");
        fails(1, "lost");
        fails(1, "refused");
        log.recovered(connections.get(0));
        assertThat(lines.lines()).hasSize(1);
        log.recovered(connections.get(1));
        log.recovered(connections.get(1));

        logged("WARN a:1[0]: lost", "INFO a:1: READY again after 0.0 s, 0 attempts");
    }

    @Test
    void recoveryTellsTheTimeAndTheAttempts() {
        fails(0, "lost");
        for (int i = 0; i < 7; i++) {
            log.attempted();
        }
        passes(Duration.ofMillis(19_400));
        log.recovered(connections.get(0));
        assertThat(lines.lines()).last().isEqualTo("INFO a:1: READY again after 19.4 s, 7 attempts");
    }

    @Test
    void oneFailureIsFollowedByNoSummaryAndTheNextIsToldAtOnceAgain() {
        fails(0, "lost");
        log.recovered(connections.get(0));
        passes(Duration.ofMinutes(3));
        fails(0, "lost again");

        logged("WARN a:1[0]: lost", "INFO a:1: READY again after 0.0 s, 0 attempts", "WARN a:1[0]: lost again");
    }

    @Test
    void secondOutageWithinAMinuteIsToldAtOnce() {
        fails(0, "lost");
        passes(Duration.ofSeconds(2));
        log.recovered(connections.get(0));
        passes(Duration.ofSeconds(10));
        fails(0, "lost again");
        fails(1, "lost too");
        passes(Duration.ofSeconds(4));
        log.recovered(connections.get(1));
        log.recovered(connections.get(0));

        logged(
                "WARN a:1[0]: lost",
                "INFO a:1: READY again after 2.0 s, 0 attempts",
                "WARN a:1[0]: lost again",
                "INFO a:1: READY again after 4.0 s, 0 attempts");
    }

    @Test
    void serverThatComesAndGoesCostsSevenLinesAMinute() {
        for (int i = 0; i < 600; i++) {
            fails(0, "lost");
            passes(Duration.ofMillis(500));
            log.recovered(connections.get(0));
            passes(Duration.ofMillis(500));
        }

        assertThat(lines.lines()).hasSizeBetween(60, 77);
        assertThat(lines.lines().get(6)).isEqualTo("INFO a:1: READY; 57 further failure(s) in the last minute");
    }

    @Test
    void longSilenceOfAServerThatIsAwayIsNotTold() {
        fails(0, "refused");
        passes(Duration.ofMinutes(5));
        fails(0, "refused again");
        passes(Duration.ofMinutes(1));

        assertThat(lines.lines()).hasSize(2);
        assertThat(lines.lines().get(1)).contains("1 connection(s) not connected after 1 failure(s)");
    }

    @Test
    void connectionThatTheClientClosesIsNotMissed() {
        fails(0, "refused");
        fails(1, "refused");
        log.closed(connections.get(0));
        log.recovered(connections.get(1));

        logged("WARN a:1[0]: refused", "INFO a:1: READY again after 0.0 s, 0 attempts");
    }

    @Test
    void errorIsToldWithItsStackTraceOnceAMinute() {
        fails(0, "refused");
        for (int i = 0; i < 10; i++) {
            log.failed(connections.get(0), context(0), "no memory", new OutOfMemoryError("of the test"));
        }

        logged("WARN a:1[0]: refused", "ERROR a:1[0]: no memory");
    }

    /** Its failures are. */
    @Test
    void serverThatIsUnreachableIsNotToldToBeEjectedOrTakenBack() {
        ServerStatus up = status(ServerState.UP, "a connection is open");
        ServerStatus unreachable = status(ServerState.UNREACHABLE, "refused");
        log.changed(up, unreachable);
        log.changed(unreachable, up);

        assertThat(lines.lines()).noneMatch(line -> line.startsWith("WARN") || line.startsWith("INFO"));
    }

    @Test
    void timeoutsAreToldOnceAMinuteWithTheirNumber() {
        for (int second = 0; second < 120; second++) {
            IntStream.range(0, 4).forEach(i -> log.timedOut());
            log.answered(1);
            passes(Duration.ofSeconds(1));
        }

        logged(
                "WARN a:1: 240 of 300 commands timed out in the last minute",
                "WARN a:1: 240 of 300 commands timed out in the last minute");
    }

    @Test
    void fewTimeoutsAreNotTold() {
        for (int minute = 0; minute < 3; minute++) {
            IntStream.range(0, 9).forEach(i -> log.timedOut());
            passes(Duration.ofMinutes(1));
            IntStream.range(0, 10).forEach(i -> log.timedOut());
            log.answered(1_100);
            passes(Duration.ofMinutes(1));
        }

        assertThat(lines.lines()).isEmpty();
    }

    @Test
    void classicTextIsToldOnceAMinuteHoweverManyConnectionsFindItOut() {
        for (int i = 0; i < 16; i++) {
            log.classicSpoken(context(i), "no mn");
        }
        passes(Duration.ofMinutes(1));
        log.classicSpoken(context(3), "no mn");

        logged("INFO a:1[0]: uses protocol CLASSIC: no mn", "INFO a:1[3]: uses protocol CLASSIC: no mn");
    }
}
