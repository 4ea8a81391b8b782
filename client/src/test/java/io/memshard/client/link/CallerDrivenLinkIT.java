// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.OwnCommand;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hand-overs of a caller-driven link in the one order of events that chance seldom brings about. */
@Timeout(180)
class CallerDrivenLinkIT extends ConnectionFixture {

    CallerDrivenLinkIT() {
        super(Transport.CALLER_DRIVEN, Protocol.META);
    }

    /** An exchange whose owner begins to wait when the reader that leaves has just found that nobody does. */
    private static final class WaitedForLate extends Exchange<@Nullable String> {

        final Thread reader;
        final CountDownLatch passedOver = new CountDownLatch(1);
        final CountDownLatch waits = new CountDownLatch(1);

        WaitedForLate(Command<@Nullable String> command, LinkContext context, Thread reader) {
            super(command, context);
            this.reader = reader;
        }

        @Override
        @Nullable
        public Thread waitingThread() {
            Thread thread = super.waitingThread();
            boolean passesOver = Thread.currentThread() == reader && thread == null && !isSentAhead();
            if (passesOver && passedOver.getCount() > 0) {
                passedOver.countDown();
                passes(waits);
            }
            return thread;
        }

        @Override
        public boolean isCallerExpected() {
            boolean expected = super.isCallerExpected();
            if (Thread.currentThread() == reader && expected && passedOver.getCount() > 0) {
                passedOver.countDown();
                passes(waits);
            }
            return expected;
        }

        @Override
        public void park(long remainingNanos) {
            waits.countDown();
            super.park(remainingNanos);
        }
    }

    @ParameterizedTest(name = "sent ahead: {0}")
    @ValueSource(booleans = {false, true})
    void callerThatBeginsToWaitWhileTheReaderLeavesIsServed(boolean sentAhead) throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            String first = c.readLine();
            String late = c.readLine();
            c.send(replyTo(first)).stall().send(replyTo(late)).ignore();
        });
        LinkContext context = context(server);
        Link link = open(server, CallerDrivenLinkIT::standby, (lost, cause) -> {});

        Exchange<@Nullable String> first = new Exchange<>(get("first"), context);
        FutureTask<@Nullable String> firstCall = new FutureTask<>(() -> {
            first.registerCaller();
            link.send(first);
            return first.awaitAsRegistered(LONG_NANOS);
        });
        Thread reader = new Thread(firstCall, "reader");
        WaitedForLate late = new WaitedForLate(get("late"), context, reader);
        reader.start();
        eventually("sent", () -> link.inFlight() == 1);
        if (sentAhead) {
            late.sendAhead();
        }
        link.send(late);
        CompletableFuture<@Nullable String> lateCall = calling(() -> {
            passes(late.passedOver);
            return late.await(LONG_NANOS);
        });

        assertThat(firstCall.get(LONG_NANOS, TimeUnit.NANOSECONDS)).isEqualTo("value of first");
        release(server, 0);
        assertThat(result(lateCall)).isEqualTo("value of late");
    }

    @Test
    void timerReadsForACallerThatIsKeptElsewhere() throws Exception {
        ScriptedServer server = answeringServer();
        Link link = open(server, CallerDrivenLinkIT::noThread, (lost, cause) -> {});
        Exchange<@Nullable String> exchange = new Exchange<>(get("k"), context(server));
        exchange.sendAhead();
        link.send(exchange);

        eventually("read by the timer", () -> {
            link.tick(System.nanoTime());
            return exchange.isOver();
        });
        assertThat(exchange.await(LONG_NANOS)).isEqualTo("value of k");
    }

    private Link open(ScriptedServer server, ThreadFactory standbyThreads, Link.Listener listener) throws IOException {
        return open(server, new CallerDrivenOpener(1, standbyThreads, ReaderLoad::new), listener);
    }

    private Link open(ScriptedServer server, CallerDrivenOpener opener, Link.Listener listener) throws IOException {
        Link link = opener.open(server.address(), context(server), LONG_NANOS, listener);
        closedAfterwards(() -> {
            link.close();
            link.awaitClosed(System.nanoTime() + LONG_NANOS);
            opener.close();
            opener.awaitClosed(System.nanoTime() + LONG_NANOS);
        });
        return link;
    }

    private static Thread standby(Runnable task) {
        return new DaemonThread(task, "standby-of-the-test");
    }

    /** As where a container has no thread left. */
    private static Thread noThread(Runnable task) {
        return new Thread(task) {
            @Override
            public void start() {
                throw new OutOfMemoryError("unable to create native thread, in the test");
            }
        };
    }

    @Test
    void futureIsCompletedAlthoughNoStandbyCanBeStarted() throws Exception {
        ScriptedServer server = answeringServer();
        Link link = open(server, CallerDrivenLinkIT::noThread, (lost, cause) -> {});
        for (int i = 0; i < 3; i++) {
            Exchange<@Nullable String> exchange = new Exchange<>(get("a"), context(server));
            link.send(exchange);
            CompletableFuture<@Nullable String> future = exchange.toFuture(LONG);
            eventually("completed", () -> {
                link.tick(System.nanoTime());
                return future.isDone();
            });

            assertThat(future.get()).isEqualTo("value of a");
        }
        assertThat(link.isAlive()).isTrue();
    }

    /** One of many, each of which is sent when the one before is being written, so that the queue is never empty. */
    private static final class Chained extends Exchange<StoreStatus> {

        private final Link link;
        private final LinkContext context;
        private final List<Thread> writers;
        private final int more;

        Chained(Link link, LinkContext context, List<Thread> writers, int more) {
            // Larger than a batch.
            super(set("a", "v".repeat(65 * 1024)), context);
            this.link = link;
            this.context = context;
            this.writers = writers;
            this.more = more;
        }

        @Override
        public boolean startWriting(int newOpaque) {
            writers.add(Thread.currentThread());
            if (more > 0) {
                link.send(new Chained(link, context, writers, more - 1));
            }
            return super.startWriting(newOpaque);
        }
    }

    private static final int CHAINED = 48;

    @ParameterizedTest(name = "another link with the same reader: {0}")
    @ValueSource(booleans = {false, true})
    void callerDoesNotWriteForOthersForEver(boolean shared) throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> c.ignore());
        List<Thread> writers = Collections.synchronizedList(new ArrayList<>());
        CallerDrivenOpener opener = new CallerDrivenOpener(1, CallerDrivenLinkIT::standby, ReaderLoad::new);
        Link link = open(server, opener, (lost, cause) -> {});
        if (shared) {
            LinkReaderIT.crowd(open(server, opener, (lost, cause) -> {}));
        }
        link.send(new Chained(link, context(server), writers, CHAINED - 1));

        eventually("all written", () -> writers.size() == CHAINED);
        assertThat(writers.stream().filter(writer -> writer == Thread.currentThread()))
                .hasSizeLessThanOrEqualTo(32);
    }

    /** Does something while its reply is decoded, which then cannot be trusted or goes on. */
    private static OwnCommand odd(BooleanSupplier isMalformed) {
        return new OwnCommand("mn") {
            @Override
            public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
                if (isMalformed.getAsBoolean()) {
                    throw new MalformedReplyException("of the test");
                }
                return !in.nextLine();
            }
        };
    }

    @Test
    void nothingIsWrittenAfterAMalformedReply() throws Exception {
        ScriptedServer server = answeringServer();
        Link link = open(server, CallerDrivenLinkIT::standby, (lost, cause) -> {});
        Exchange<@Nullable String> late = new Exchange<>(get("late"), context(server));
        Exchange<String> malformed = new Exchange<>(
                odd(() -> {
                    link.send(late);
                    return true;
                }),
                context(server));
        malformed.registerCaller();
        link.send(malformed);

        assertThatExceptionOfType(MemcachedProtocolException.class)
                .isThrownBy(() -> malformed.awaitAsRegistered(LONG_NANOS));
        assertThatExceptionOfType(MemcachedException.class)
                .isThrownBy(() -> late.await(LONG_NANOS))
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        assertThat(late.isWritten()).isFalse();
    }

    /** Begins an offer, as a thread does that loses its processor in the middle of it. */
    private void offerHalf(Link link, LinkContext context) throws ReflectiveOperationException {
        Field queue = Link.class.getDeclaredField("queue");
        queue.setAccessible(true);
        Field tail = ExchangeQueue.class.getDeclaredField("tail");
        tail.setAccessible(true);
        tail.set(queue.get(link), new Exchange<>(get("half"), context));
    }

    @Test
    void callerOfAFailedLinkDoesNotSpinForAnOfferThatIsHalfDone() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> c.ignore());
        Link link = open(server, CallerDrivenLinkIT::standby, (lost, cause) -> {});
        offerHalf(link, context(server));
        Exchange<@Nullable String> behind = new Exchange<>(get("behind"), context(server));
        CompletableFuture<@Nullable String> call = calling(() -> {
            behind.registerCaller();
            link.send(behind);
            return behind.awaitAsRegistered(TimeUnit.HOURS.toNanos(1));
        });
        eventually("sent", () -> link.inFlight() == 1);
        link.close();

        failure(MemcachedConnectionException.class, call);
    }
}
