// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait for the first link of a server which then leaves: it takes connections and answers nothing. */
@Timeout(300)
class MovedCommandsIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);

    private final LeakCheck leaks = LeakCheck.start();
    private final EmbeddedMemcached server = EmbeddedMemcached.start();

    /** Ends the attempts to connect to {@link #mute}. */
    private final CountDownLatch gone = new CountDownLatch(1);

    private final ScriptedServer mute = ScriptedServer.start().onConnection(connection -> {
        gone.await();
        connection.cut();
    });
    private final ScriptedServer alsoMute = ScriptedServer.start();
    private Memshard memshard;

    private void connect(Duration requestTimeout, ScriptedServer... servers) {
        memshard = builder(requestTimeout, servers).build();
    }

    private static MemshardBuilder builder(Duration requestTimeout, ScriptedServer... servers) {
        return Memshard.builder()
                .servers(Stream.of(servers)
                        .map(each -> "127.0.0.1:" + each.port())
                        .collect(Collectors.joining(", ")))
                .requestTimeout(requestTimeout)
                .connectTimeout(LONG);
    }

    private AsyncMemcachedClient<String> async() {
        return memshard.asyncClient(Transcoder.utf8());
    }

    private MemcachedClient<String> blocking() {
        return memshard.client(Transcoder.utf8());
    }

    private List<Server> answering() {
        return Server.parseAll("127.0.0.1:" + server.port());
    }

    @AfterEach
    void close() {
        memshard.close();
        gone.countDown();
        server.close();
        mute.close();
        alsoMute.close();
        leaks.assertNothingLeft();
    }

    @Test
    void anAsynchronousCommandGoesToTheServerThatReplacesAnother() {
        connect(LONG, mute);
        CompletableFuture<Void> set = async().set("k", "v", HOUR);
        memshard.replace(answering());
        gone.countDown();
        assertThat(set).succeedsWithin(LONG);
        assertThat(blocking().get("k")).isEqualTo("v");
    }

    /** It went to the new server at once, and the earlier one only after the attempt to connect to the old one. */
    @Test
    void aSetThatIsSentAgainMayLandAfterALaterOneOfTheSameThread() {
        connect(LONG, mute);
        CompletableFuture<Void> earlier = async().set("k", "earlier", HOUR);
        memshard.replace(answering());
        blocking().set("k", "later", HOUR);
        assertThat(earlier).isNotDone();
        gone.countDown();
        assertThat(earlier).succeedsWithin(LONG);
        assertThat(blocking().get("k")).isEqualTo("earlier");
    }

    /** As if both threads had been suspended since they chose a connection. */
    @Test
    void aCommandWhoseConnectionHasClosedGoesToTheNewServer() {
        CountDownLatch chosen = new CountDownLatch(2);
        CountDownLatch closed = new CountDownLatch(1);
        try (ScriptedServer old = ScriptedServer.start().onConnection(ScriptedConnection::greet)) {
            memshard = builder(LONG, old)
                    .connectionsPerServer(2)
                    .chooser(candidates -> {
                        chosen.countDown();
                        passes(closed);
                        return 0;
                    })
                    .build();
            memshard.awaitReady(LONG);
            // The common pool may have a single thread.
            Executor threads = task -> new Thread(task).start();
            CompletableFuture<String> blocked =
                    CompletableFuture.supplyAsync(() -> blocking().get("k"), threads);
            CompletableFuture<String> future = CompletableFuture.supplyAsync(() -> async().get("k"), threads)
                    .thenCompose(get -> get);
            passes(chosen);
            memshard.replace(answering());
            eventually("the old connections are closed", () -> old.openConnections() == 0);
            closed.countDown();
            assertThat(blocked).succeedsWithin(LONG);
            assertThat(future).succeedsWithin(LONG);
        }
    }

    private static void passes(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Otherwise the attempt to connect to the second server would last for longer. */
    @Test
    void theSecondAttemptHasTheRestOfTheTime() {
        connect(Duration.ofSeconds(1), mute);
        memshard.replace(answering());
        memshard.awaitReady(LONG);
        memshard.replace(Server.parseAll("127.0.0.1:" + mute.port()));
        CompletableFuture<String> blocked =
                CompletableFuture.supplyAsync(() -> blocking().get("k"));
        CompletableFuture<String> future = async().get("k");
        eventually("the blocking get waits too", () -> mute.connections() == 2);
        memshard.replace(Server.parseAll("127.0.0.1:" + alsoMute.port()));
        gone.countDown();
        assertThat(blocked)
                .failsWithin(LONG.dividedBy(2))
                .withThrowableThat()
                .withCauseInstanceOf(MemcachedTimeoutException.class);
        assertThat(future)
                .failsWithin(LONG.dividedBy(2))
                .withThrowableThat()
                .withCauseInstanceOf(MemcachedTimeoutException.class);
    }
}
