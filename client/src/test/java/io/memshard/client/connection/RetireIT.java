// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection to a server that left ends what is in flight, refuses the rest unsent, and is forgotten. */
@EachTransport
@Timeout(120)
class RetireIT extends ConnectionFixture {

    private final Transport transport;

    RetireIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    @Test
    void whatIsInFlightEndsAndTheRestIsRefusedUnsent() {
        CountDownLatch answers = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).replyTo(line -> {
                    passes(answers);
                    return replyTo(line);
                }));
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection = connect(group, address(server));
        CompletableFuture<String> inFlight = future(connection, get("a"));
        eventually("sent", () -> connection.state() == ConnectionState.READY);
        connection.retire(LONG);

        CompletableFuture<String> refused = future(connection, get("b"));
        assertThat(failure(MemcachedConnectionException.class, refused).isSafeToRetry())
                .isTrue();
        assertThat(failedCall(connection).isSafeToRetry()).isTrue();
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
        answers.countDown();
        assertThat(result(inFlight)).isEqualTo("value of a");
        eventually("closed", () -> connection.state() == ConnectionState.CLOSED && server.openConnections() == 0);
        group.awaitReady(LONG);
    }

    /** The first link is there, so a second would be one too many. */
    @Test
    void aConnectionThatDrainsOpensNoSocketAndWarnsOfNothing() {
        CountDownLatch answers = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).replyTo(line -> {
                    if (line.contains("slow")) {
                        passes(answers);
                    }
                    return replyTo(line);
                }));
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection idle = connect(group, address(server));
        works(idle);
        Connection busy = connect(group, address(server));
        works(busy);
        CompletableFuture<String> slow = future(busy, get("slow"));
        eventually("sent", () -> busy.inFlight() == 1);
        try (CapturedLog ownLog = new CapturedLog(Connection.class)) {
            idle.retire(LONG);
            busy.retire(LONG);
            eventually("the idle one is closed", () -> idle.state() == ConnectionState.CLOSED);
            // More than the timer takes to notice that there is no link.
            result(group.threads().pause(TimeUnit.MILLISECONDS.toNanos(200)));
            assertThat(server.connections()).isEqualTo(2);
            answers.countDown();
            assertThat(result(slow)).isEqualTo("value of slow");
            eventually("closed", () -> server.openConnections() == 0);
            assertThat(ownLog.text()).doesNotContain("WARN", "ERROR");
        }
        assertThat(server.connections()).isEqualTo(2);
    }

    /** As of a server that leaves because it is down. */
    @Test
    void aConnectionThatDrainsDoesNotTryAgain() {
        settings.reconnectDelay(Duration.ofHours(1), Duration.ofHours(1));
        ScriptedServer server =
                scriptedServer().onConnection(ScriptedConnection::cut).onConnection(ConnectionFixture::answer);
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection = connect(group, address(server));
        failedCall(connection);
        connection.retire(LONG);
        eventually("closed", () -> connection.state() == ConnectionState.CLOSED);
        // One that tried again would try now, because the server works.
        works(connect(group, address(server)));
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void aServerThatAnswersNoMoreIsGivenUp() {
        ScriptedServer server = scriptedServer().onConnection(c -> greet(c).ignore());
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection = connect(group, address(server));
        CompletableFuture<String> inFlight = future(connection, get("a"));
        eventually("sent", () -> connection.state() == ConnectionState.READY);
        connection.retire(BRIEF);

        assertThat(failure(MemcachedConnectionException.class, inFlight)).hasMessageContaining("closed by this client");
        eventually("closed", () -> server.openConnections() == 0);
    }

    @Test
    void aLinkThatRefusesAnswersWhatIsInFlight() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).replyTo(line -> {
                    passes(answers);
                    return replyTo(line);
                }));
        List<Link> opened = new CopyOnWriteArrayList<>();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        EventLoopOpener loops = new EventLoopOpener(1, options());
        closedAfterwards(loops::close);
        loops.prepare();
        LinkOpener opener = transport == Transport.EVENT_LOOP ? loops : closedAfterwards(new CallerDrivenOpener());
        Connection connection = group.newConnection(
                new LinkContext(address(server), 0, options(), Protocol.META),
                (address, context, timeoutNanos, listener) -> {
                    Link link = opener.open(address, context, timeoutNanos, listener);
                    opened.add(link);
                    return link;
                });
        CompletableFuture<String> inFlight = future(connection, get("a"));
        eventually("sent", () -> connection.state() == ConnectionState.READY);
        opened.get(0).refuse();

        MemcachedException refused = failure(MemcachedConnectionException.class, future(connection, get("b")));
        assertThat(refused.isSafeToRetry()).isTrue();
        assertThat(refused).hasMessageContaining("closed by this client");
        assertThat(opened.get(0).isEmpty()).isFalse();
        answers.countDown();
        assertThat(result(inFlight)).isEqualTo("value of a");
        eventually("empty", opened.get(0)::isEmpty);
    }

    @Test
    void noCallerLosesACommandThatWasSent() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        for (int i = 0; i < 10; i++) {
            Connection connection = connect(group, address(server));
            List<Thread> callers = new ArrayList<>();
            List<MemcachedException> failures = new ArrayList<>();
            CyclicBarrier start = new CyclicBarrier(5);
            for (int caller = 0; caller < 4; caller++) {
                Thread thread = new Thread(() -> {
                    await(start);
                    try {
                        while (true) {
                            connection.call(get("a"), LONG_NANOS);
                        }
                    } catch (MemcachedException e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                });
                callers.add(thread);
                thread.start();
            }
            works(connection);
            await(start);
            connection.retire(LONG);
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(failures).hasSize(4).allMatch(MemcachedException::isSafeToRetry);
        }
        eventually("closed", () -> server.openConnections() == 0);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCommandOnAConnectionMadeWhileTheGroupIsClosedEnds() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        for (int i = 0; i < 10; i++) {
            ConnectionGroup group = new ConnectionGroup(options(), 1);
            List<CompletableFuture<String>> futures = new ArrayList<>();
            Thread maker = new Thread(() -> {
                try {
                    while (true) {
                        futures.add(future(connect(group, address(server)), get("a")));
                    }
                } catch (IllegalStateException closed) {
                    // There are no more.
                }
            });
            maker.start();
            Thread.yield();
            group.close();
            join(maker);
            for (CompletableFuture<String> future : futures) {
                assertThat(future.handle((value, failure) -> true)).succeedsWithin(LONG);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
