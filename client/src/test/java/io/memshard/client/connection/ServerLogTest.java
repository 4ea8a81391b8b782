// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
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

/** Which lines the log has, by a clock of the test: few, whatever the server does. */
class ServerLogTest {

    private static final IOException CAUSE = new IOException("refused");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final RecordedLog lines = new RecordedLog();
    private final ServerAddress server = new ServerAddress("a", 1);
    private final ServerLog log = new ServerLog(server, lines.logger(), now::get);
    private final List<ConnectionStatus> connections = IntStream.range(0, 16)
            .mapToObj(i -> (ConnectionStatus) Proxy.newProxyInstance(
                    ConnectionStatus.class.getClassLoader(),
                    new Class<?>[] {ConnectionStatus.class},
                    (proxy, method, args) -> {
                        return switch (method.getName()) {
                            case "hashCode" -> i;
                            case "equals" -> proxy == args[0];
                            default -> throw new AssertionError(method + " called with the lock held");
                        };
                    }))
            .toList();

    private LinkContext context(int index) {
        return new LinkContext(server, index, new ConnectionOptions(), Protocol.META);
    }

    private void fails(int index, String message) {
        fails(index, message, CAUSE);
    }

    private void fails(int index, String message, Throwable cause) {
        log.failed(connections.get(index), context(index), message, cause);
    }

    private void recovers(int index) {
        log.recovered(connections.get(index));
    }

    private void changes(ServerState from, ServerState to, String reason) {
        log.changed(
                new ServerStatus(server, from, "", Instant.EPOCH), new ServerStatus(server, to, reason, Instant.EPOCH));
    }

    private void logged(String... expected) {
        assertThat(lines.lines()).filteredOn(line -> !line.startsWith("DEBUG")).containsExactly(expected);
    }

    private void passes(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 50) {
            now.addAndGet(Duration.ofMillis(50).toNanos());
            log.tick();
        }
    }

    @Test
    void failuresAreLoggedOnceInAnOutage() {
        for (int i = 0; i < 160; i++) {
            fails(i % 16, "refused");
            passes(Duration.ofSeconds(1));
        }
        IntStream.range(0, 16).forEach(this::recovers);

        logged("WARN a:1[0]: refused", "INFO a:1: READY again after 160.0 s");
    }

    @Test
    void ejectionAndReturnAreLogged() {
        for (int i = 1; i <= 2; i++) {
            changes(ServerState.UP, ServerState.EJECTED, "failure " + i);
            changes(ServerState.EJECTED, ServerState.PROBING, "it answered a probe");
            changes(ServerState.PROBING, ServerState.EJECTED, "no probe");
            changes(ServerState.EJECTED, ServerState.PROBING, "it answered a probe");
            changes(ServerState.PROBING, ServerState.UP, "it answered 2 probes");
        }
        String back = "INFO a:1: taken back: it answered 2 probes";
        logged("WARN a:1: ejected after failure 1", back, "WARN a:1: ejected after failure 2", back);
    }

    @Test
    void aServerThatIsEjectedIsNotCalledReady() {
        fails(0, "lost");
        changes(ServerState.UP, ServerState.EJECTED, "5 failures");
        recovers(0);
        changes(ServerState.PROBING, ServerState.UP, "2 probes");
        // Its failures are logged.
        changes(ServerState.UP, ServerState.UNREACHABLE, "refused");
        changes(ServerState.UNREACHABLE, ServerState.UP, "a connection is open");

        logged(
                "WARN a:1[0]: lost",
                "WARN a:1: ejected after 5 failures",
                "INFO a:1: connected after 0.0 s, still ejected",
                "INFO a:1: taken back: 2 probes");
    }

    @Test
    void causeOfAnotherKindIsLoggedAtOnceAndOnlyOnceInAnOutage() {
        List<Throwable> causes = List.of(
                new IOException("reset"),
                new ConnectException("refused"),
                new IOException("no", new SSLHandshakeException("expired")),
                new Handshake.AuthenticationRefusedException("password", new IllegalStateException()),
                new OutOfMemoryError("heap"));
        for (int i = 0; i < 3; i++) {
            for (Throwable cause : causes) {
                fails(0, String.valueOf(cause.getMessage()), cause);
                passes(Duration.ofSeconds(1));
            }
        }

        logged(
                "WARN a:1[0]: reset",
                "WARN a:1[0]: refused",
                "WARN a:1[0]: no",
                "WARN a:1[0]: password",
                "ERROR a:1[0]: heap");
    }

    @Test
    void recoveryIsLoggedOnceWhenTheLastConnectionHasRecovered() {
        for (int i = 0; i < 4; i++) {
            fails(i, "lost");
        }
        recovers(0);
        log.closed(connections.get(1));
        recovers(2);
        passes(Duration.ofMillis(19_400));
        recovers(3);
        recovers(3);

        logged("WARN a:1[0]: lost", "INFO a:1: READY again after 19.4 s");
    }

    @Test
    void serverThatComesAndGoesCostsNineLinesAMinute() {
        for (int i = 0; i < 600; i++) {
            fails(0, "lost");
            passes(Duration.ofMillis(500));
            recovers(0);
            passes(Duration.ofMillis(500));
        }

        assertThat(lines.lines()).hasSize(10 * (ServerLog.MAX_LINES + 1));
        assertThat(lines.lines().get(ServerLog.MAX_LINES))
                .isEqualTo("WARN a:1: 112 more messages in the last minute were logged only at DEBUG."
                        + " The last of them: a:1: READY again after 0.5 s");
    }

    @Test
    void errorsAreCountedToo() {
        for (int i = 0; i < 20; i++) {
            fails(0, "heap", new OutOfMemoryError("heap"));
            recovers(0);
        }

        assertThat(lines.lines().stream().filter(line -> line.startsWith("ERROR")))
                .hasSize(ServerLog.MAX_LINES / 2);
    }

    @Test
    void timeoutsAreLoggedOnceAMinuteIfThereAreMany() {
        for (int second = 0; second < 120; second++) {
            IntStream.range(0, 4).forEach(i -> log.timedOut());
            log.answered(1);
            passes(Duration.ofSeconds(1));
        }
        IntStream.range(0, 9).forEach(i -> log.timedOut());
        passes(Duration.ofMinutes(1));
        IntStream.range(0, 10).forEach(i -> log.timedOut());
        log.answered(1_100);
        passes(Duration.ofMinutes(1));

        String many = "WARN a:1: 240 of 300 commands timed out in the last minute";
        logged(many, many);
    }

    @Test
    void classicTextIsLoggedOnceAMinute() {
        for (int i = 0; i < 16; i++) {
            log.classicSpoken(context(i), "no mn");
        }
        passes(Duration.ofMinutes(1));
        log.classicSpoken(context(3), "no mn");

        logged("INFO a:1[0]: uses protocol CLASSIC: no mn", "INFO a:1[3]: uses protocol CLASSIC: no mn");
    }
}
