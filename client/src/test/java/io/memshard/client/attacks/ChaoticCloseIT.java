// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Closed at any moment, whatever the server does and the callers wait for, a group ends each call and returns soon. */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, CLASSIC", "CALLER_DRIVEN, META", "AUTO, AUTO"})
@Timeout(300)
class ChaoticCloseIT extends ConnectionFixture {

    private static final int ROUNDS = 3;
    private static final int LONGEST_LIFE_MILLIS = 30;

    /** The most calls of a thread, so that a client which fails each at once keeps no processor busy. */
    private static final int CALLS = 2_000;

    /** Time-out of each call, which a close must not wait for. */
    private static final Duration NEVER = Duration.ofMinutes(5);

    private static final Duration TTL = Duration.ofHours(1);

    ChaoticCloseIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
    }

    /** What the server does. */
    private enum Fate {
        ANSWERS(c -> {}),
        ANSWERS_GETS_ONLY(c -> c.replyTo(Fate::replyToOneGet)),
        IS_SILENT(ScriptedConnection::ignore),
        IS_SILENT_AFTER_THE_GREETING(
                c -> c.replyTo(line -> line.equals("mn") || line.equals(PROBE) ? replyTo(line) : "")),
        HANGS_UP(ScriptedConnection::cut),
        HANGS_UP_AFTER_A_WHILE(c -> c.greet().send(replyToOneGet(c.readLine())).cut()),
        TALKS_GARBAGE(c -> c.greet().garbage(10_000, 7)),
        REFUSES(c -> {});

        private final Consumer<ScriptedConnection> deed;

        Fate(Consumer<ScriptedConnection> deed) {
            this.deed = deed;
        }

        /** Nothing to any other command. */
        private static String replyToOneGet(String line) {
            return line.matches("(mn|mg .*|get .*)") ? replyTo(line) : "";
        }

        private void play(ScriptedConnection connection) {
            try {
                deed.accept(connection);
            } catch (UncheckedIOException | AssertionError e) {
                // The client has closed it.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachCallEndsAndCloseReturns(Fate fate) throws Exception {
        ScriptedServer server = scriptedServer().onConnection(fate::play);
        EmbeddedMemcached answering = closedAfterwards(EmbeddedMemcached.start());
        if (fate == Fate.REFUSES) {
            server.stopAccepting();
        }
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(round);
            ConnectionGroup group = new ConnectionGroup(options(), 2);
            Connection connection = connect(
                    group,
                    fate == Fate.ANSWERS ? new ServerAddress(answering.host(), answering.port()) : address(server));
            MemcachedClient<String> client = Clients.blocking(connection, Transcoder.utf8(), 1024, NEVER);
            AsyncMemcachedClient<String> async =
                    Clients.blocking(connection, Transcoder.utf8(), 1024, NEVER).async();
            Queue<CompletableFuture<?>> futures = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Boolean>> callers = Stream.of(
                            () -> client.get("a"),
                            () -> client.multiGet(List.of("a", "b")).hitsOrThrow(),
                            () -> client.multiSet(Map.of("a", "x", "b", "y"), TTL)
                                    .doneOrThrow(),
                            () -> client.getOrLoad("a", TTL, key -> "loaded"),
                            () -> client.meta().get(GetRequest.of("a")),
                            () -> client.touch("a", TTL),
                            (Runnable) () -> joinAll(async, futures))
                    .map(call -> calling(() -> untilClosed(call)))
                    .toList();
            Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS)); // The moment of the close is what varies.
            Stream.generate(() -> calling(() -> taken(group::close)))
                    .limit(1 + round % 2)
                    .toList()
                    .forEach(ConnectionFixture::result);

            callers.forEach(ConnectionFixture::result);
            assertThat(futures).as("round " + round).allMatch(CompletableFuture::isDone);
            assertThat(connection.inFlight()).isZero();
        }
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    private static void joinAll(AsyncMemcachedClient<String> async, Queue<CompletableFuture<?>> futures) {
        List<CompletableFuture<?>> asked = List.of(
                async.get("a"),
                async.set("a", "x", TTL),
                async.multiGet(List.of("a", "b")).thenCompose(found -> async.get("c")),
                async.getOrLoad("a", TTL, key -> CompletableFuture.completedFuture("loaded")));
        futures.addAll(asked);
        asked.forEach(CompletableFuture::join);
    }

    /** Makes the call again and again until its failure says that the client was closed. */
    private static boolean untilClosed(Runnable call) {
        for (int i = 0; i < CALLS; i++) {
            try {
                call.run();
            } catch (MemcachedException | CompletionException e) {
                Throwable failure = e instanceof CompletionException ? e.getCause() : e;
                assertThat(failure).isInstanceOf(MemcachedException.class);
                if (failure.getMessage().contains("closed by this client")) {
                    break;
                }
            }
        }
        return true;
    }
}
