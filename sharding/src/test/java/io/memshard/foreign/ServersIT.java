// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.Memshard;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every operation on every server that {@code docker/servers} has provided, by default settings.  Writes the table of
 * docs/versions.md.
 *
 * <p>Hazelcast 5.7.0 fails it now and then: that server stops answering with many commands in flight, also to plain
 * sockets.
 */
class ServersIT {

    private static final Path TABLE = Path.of("..", "docs", "results", "servers.csv.gz");

    /** Longest time until the connections are back after one was lost. */
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(30);

    private static final List<Operation> OPERATIONS = Stream.of(
                    PlainOperations.all(), ManyKeyOperations.all(), MetaOperations.all(), AdminOperations.all())
            .flatMap(List::stream)
            .toList();

    private final List<String> rows = new ArrayList<>(List.of("server,operation,outcome,message"));
    private final List<String> wrong = new ArrayList<>();

    /** Counts lost connections. */
    private static final class Losses implements ConnectionListener {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void stateChanged(
                ConnectionStatus connection, ConnectionState before, ConnectionState now, @Nullable Throwable cause) {
            if (before == ConnectionState.READY && now != ConnectionState.CLOSED) {
                count.incrementAndGet();
            }
        }
    }

    @Test
    void noServerEndsAnOperationOtherwiseThanDocumented() throws IOException {
        String directory = System.getProperty("memshard.servers");
        assumeTrue(directory != null, "set -Dmemshard.servers=DIRECTORY to the servers of docker/servers DIRECTORY");
        assertThat(OPERATIONS.stream().map(Operation::name)).doesNotHaveDuplicates();
        List<Path> folders = ForeignServer.foldersIn(Path.of(directory));
        assertThat(folders).as("servers in " + directory).isNotEmpty();
        for (Path folder : folders) {
            try (ForeignServer server = ForeignServer.start(folder)) {
                runAll(server);
            } catch (AssertionError e) {
                wrong.add(folder.getFileName() + ": " + e.getMessage());
            }
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(TABLE))) {
            out.write(String.join("\n", rows).concat("\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(wrong).isEmpty();
    }

    private void runAll(ForeignServer server) {
        Losses losses = new Losses();
        try (Memshard memshard = Memshard.builder()
                .servers(server.address())
                .requestTimeout(LONGEST_ABSENCE)
                .listener(losses)
                .build()) {
            Calls calls = Calls.of(memshard);
            // A server of Java has to be compiled first.
            Eventually.eventually("the first calls are answered", LONGEST_ABSENCE, () -> works(calls) == null);
            for (int i = 0; i < OPERATIONS.size(); i++) {
                run(server, calls, OPERATIONS.get(i), "op" + i + "-k", losses.count);
            }
        }
    }

    private void run(ForeignServer server, Calls calls, Operation operation, String key, AtomicInteger losses) {
        int before = losses.get();
        Outcome outcome;
        try {
            operation.body().run(calls, key);
            outcome = Outcome.OK;
        } catch (Exception | AssertionError e) {
            outcome = Outcome.of(e);
        }
        outcome = afterwards(calls, outcome, losses.get() - before);
        rows.add(String.join(
                ",",
                server.toString(),
                quoted(operation.name()),
                outcome.kind().name().toLowerCase(java.util.Locale.ROOT),
                quoted(outcome.message())));
        if (outcome.kind() == Outcome.Kind.WRONG) {
            wrong.add(server + ", " + operation.name() + ": " + outcome.message());
        }
    }

    /** Calls the server after an operation: at once, unless that has ended a connection. */
    private static Outcome afterwards(Calls calls, Outcome outcome, int lost) {
        if (outcome.kind() == Outcome.Kind.CLOSED || outcome.kind() == Outcome.Kind.WRONG) {
            boolean isBack = Eventually.holdsWithin(LONGEST_ABSENCE, () -> works(calls) == null);
            return isBack ? outcome : new Outcome(Outcome.Kind.WRONG, "not back after: " + outcome.message());
        }
        if (lost > 0) {
            Eventually.holdsWithin(LONGEST_ABSENCE, () -> works(calls) == null);
            return new Outcome(Outcome.Kind.WRONG, lost + " connections lost, and no word of it: " + outcome.message());
        }
        String failure = works(calls);
        return failure == null ? outcome : new Outcome(Outcome.Kind.WRONG, "the next call fails: " + failure);
    }

    /** Returns null if blocking and asynchronous calls work on each connection, or a failure. */
    private static @Nullable String works(Calls calls) {
        try {
            calls.client().set("alive", "yes", PlainOperations.MINUTE);
            Calls.result(calls.async().set("alive", "yes", PlainOperations.MINUTE));
            assertThat(calls.client().get("alive")).isEqualTo("yes");
            for (int i = 0; i < 4; i++) {
                assertThat(Calls.result(calls.async().get("alive"))).isEqualTo("yes");
            }
            return null;
        } catch (Exception | AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String quoted(String text) {
        return text.matches("[^,\"]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
