// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.Reply;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each reply meets its own command, and no other, whatever the server and the caller do. */
@EachTransportAndProtocol
@Timeout(120)
class ReplyIT extends ConnectionFixture {

    ReplyIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
    }

    @Test
    void serverErrorNamesTheAnswerAndTheServer() {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet().readLine();
            c.send("SERVER_ERROR out of memory\r\n");
        });
        Connection connection = connect(server);

        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining("SERVER_ERROR out of memory")
                .satisfies(e -> assertThat(e.context())
                        .isEqualTo(new CommandContext(address(server).toString(), 0, getVerb(), "a", Phase.REPLIED)));
    }

    /** Answers one command, then another when it is released, then all. */
    private ScriptedServer serverThatIsLateOnce() {
        return scriptedServer().onConnection(c -> {
            c.greet();
            c.send(replyTo(c.readLine()));
            String late = c.readLine();
            c.stall().send(hit(late, "value of late"));
            answer(c);
        });
    }

    @Test
    void lateReplyIsDroppedAfterATimeoutAndTheNextCommandGetsItsOwn() throws Exception {
        ScriptedServer server = serverThatIsLateOnce();
        Connection connection = opened(connect(server));
        works(connection);
        Reply<String> late = connection.send(get("late"));
        eventually("sent", () -> received(server, 0).contains("late"));

        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> late.await(BRIEF.toNanos()))
                .withMessageContaining("no reply within 100 ms")
                .withMessageContaining(getVerb() + " \"late\" on " + address(server) + "[0], awaiting reply")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isFalse());
        assertThat(connection.inFlight()).isEqualTo(1);
        release(server, 0);
        worksAgain(connection);
        assertThat(connection.inFlight()).isZero();
        assertThat(server.connections()).isEqualTo(1);
    }

    /** So long a wait is ended by the timer, which one of the two callers, at least, does not notice by itself. */
    @Test
    void longWaitsEndToo() throws Exception {
        Connection connection = connect(silentServer());
        Duration longWait = Duration.ofMillis(400);
        List<CompletableFuture<String>> calls = Stream.of("a", "b")
                .map(key -> calling(() -> connection.call(get(key), longWait.toNanos())))
                .toList();

        for (CompletableFuture<String> call : calls) {
            assertThat(failure(MemcachedTimeoutException.class, call)).hasMessageContaining("no reply within 400 ms");
        }
    }

    @Test
    void futureTimesOutAndItsLateReplyIsDropped() throws Exception {
        ScriptedServer server = serverThatIsLateOnce();
        Connection connection = opened(connect(server));
        works(connection);
        CompletableFuture<String> late = connection.send(get("late")).toFuture(BRIEF);
        CompletableFuture<String> next = future(connection, get("next"));

        assertThat(failure(MemcachedTimeoutException.class, late)).hasMessageContaining(getVerb() + " \"late\"");
        release(server, 0);
        assertThat(result(next)).isEqualTo("value of next");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void interruptRestoresTheFlagAndLeavesTheConnectionHealthy() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet();
            String interrupted = c.readLine();
            c.stall().send(hit(interrupted, "value of interrupted"));
            answer(c);
        });
        Connection connection = connect(server);
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            assertThatExceptionOfType(MemcachedInterruptedException.class)
                    .isThrownBy(() -> connection.call(get("interrupted"), LONG_NANOS));
            return Thread.interrupted();
        });
        Thread caller = new Thread(task, "caller");
        caller.start();
        eventually("sent", () -> received(server, 0).contains(getVerb() + " interrupted"));
        caller.interrupt();

        assertThat(task.get(LONG_NANOS, TimeUnit.NANOSECONDS))
                .as("the flag is set again")
                .isTrue();
        release(server, 0);
        worksAgain(connection);
        eventually("nothing in flight", () -> connection.inFlight() == 0);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void fullConnectionRefusesAtOnceAndTakesCommandsAgainAfterReplies() throws Exception {
        settings.maxInFlight = 3;
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet();
            List<String> lines = List.of(c.readLine(), c.readLine(), c.readLine());
            c.stall();
            lines.forEach(line -> c.send(replyTo(line)));
            answer(c);
        });
        Connection connection = opened(connect(server));
        List<CompletableFuture<String>> inFlight = IntStream.range(0, 3)
                .mapToObj(i -> future(connection, get("k" + i)))
                .toList();

        CompletableFuture<String> refused = future(connection, get("refused"));
        assertThat(refused).isDone();
        assertThat(failure(MemcachedOverloadException.class, refused))
                .hasMessageContaining("in-flight limit 3 reached")
                .hasMessageContaining(address(server) + "[0]")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        assertThatExceptionOfType(MemcachedOverloadException.class)
                .isThrownBy(() -> connection.call(get("refused"), LONG_NANOS));

        release(server, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(result(inFlight.get(i))).isEqualTo("value of k" + i);
        }
        worksAgain(connection);
    }

    @Test
    void replyIsAvailableAsAFutureAfterItHasArrived() throws Exception {
        ScriptedServer server = answeringServer();
        Connection connection = connect(server);
        Reply<String> first = connection.send(get("a"));
        works(connection);

        assertThat(first.toFuture(LONG)).isCompletedWithValue("value of a");
        assertThat(connection.send(get("b")).await(LONG_NANOS)).isEqualTo("value of b");
    }

    /** One of two callers may be the reader, who runs the stage. */
    @Test
    void dependentStageDelaysNoOtherReply() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet();
            String replies = replyTo(c.readLine()) + replyTo(c.readLine()) + replyTo(c.readLine());
            c.send(replies);
            answer(c);
        });
        CountDownLatch oneIsDone = new CountDownLatch(1);
        Connection connection = connect(server);
        CompletableFuture<Boolean> held = future(connection, get("held")).thenApply(value -> passes(oneIsDone));
        List<CompletableFuture<String>> calls =
                Stream.of("a", "b").map(key -> calling(connection, key)).toList();

        CompletableFuture.anyOf(calls.toArray(CompletableFuture[]::new)).get(LONG_NANOS, TimeUnit.NANOSECONDS);
        oneIsDone.countDown();
        assertThat(result(held)).isTrue();
        assertThat(calls).allSatisfy(call -> assertThat(result(call)).startsWith("value of "));
    }

    @Test
    void callerWaitsForItsOwnReplyOnly() throws Exception {
        CountDownLatch secondIsThere = new CountDownLatch(1);
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet();
            String first = c.readLine();
            String second = c.readLine();
            c.send(hit(first, "value of first"));
            secondIsThere.await();
            c.send(hit(second, "value of second"));
        });
        Connection connection = connect(server);
        CompletableFuture<String> first = future(connection, get("first"));
        CompletableFuture<String> second = future(connection, get("second"));

        assertThat(result(first)).isEqualTo("value of first");
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> second.get(1, TimeUnit.MILLISECONDS));
        secondIsThere.countDown();
        assertThat(result(second)).isEqualTo("value of second");
    }
}
