// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links to several servers with one reader, with few callers and with many, for whom it also writes. */
@ParameterizedClass(name = "many callers: {0}")
@ValueSource(booleans = {false, true})
@Timeout(300)
class LinkReaderIT extends ConnectionFixture {

    /** A call with this timeout ends for another reason, or hangs. */
    private static final long NEVER_NANOS = 2 * LONG_NANOS;

    private final CallerDrivenOpener opener =
            new CallerDrivenOpener(1, task -> new DaemonThread(task, "standby-of-the-test"), this::load);

    private final AtomicInteger yields = new AtomicInteger();

    private final CountDownLatch answers = new CountDownLatch(1);

    private final boolean manyCallers;

    LinkReaderIT(boolean manyCallers) {
        super(Transport.CALLER_DRIVEN, Protocol.META);
        this.manyCallers = manyCallers;
    }

    private ReaderLoad load() {
        return new ReaderLoad(System::nanoTime, yields::incrementAndGet);
    }

    /** Shows a reader many commands in flight, as the timer does. */
    static void crowd(Link link) {
        LinkReader reader = (LinkReader) link.readFrom();
        for (int i = 0; i < 2 * reader.size(); i++) {
            reader.sample(1_000);
        }
    }

    @AfterEach
    void closeOpener() {
        opener.close();
        opener.awaitClosed(System.nanoTime() + LONG_NANOS);
    }

    private LinkContext context(ScriptedServer server, int index) {
        return new LinkContext(address(server), index, options(), Protocol.META);
    }

    private Link open(ScriptedServer server) throws IOException {
        return open(server, opener, 0);
    }

    private Link open(ScriptedServer server, CallerDrivenOpener from, int index) throws IOException {
        Link link = from.open(server.address(), context(server, index), LONG_NANOS, (lost, cause) -> {});
        if (manyCallers) {
            crowd(link);
        }
        closedAfterwards(() -> {
            link.close();
            link.awaitClosed(System.nanoTime() + LONG_NANOS);
        });
        return link;
    }

    /** Answers once {@link #answers} is open. */
    private ScriptedServer late() {
        return late(answers);
    }

    private ScriptedServer late(CountDownLatch until) {
        return scriptedServer()
                .onConnection(c -> c.replyTo(line -> {
                    passes(until);
                    return replyTo(line);
                }));
    }

    private static Exchange<@Nullable String> exchange(Link link, String key) {
        LinkContext context = ((CallerDrivenLink) link).context;
        return new Exchange<>(get(key), context);
    }

    private static @Nullable String call(Link link, String key, long timeoutNanos) {
        return link.call(exchange(link, key), System.nanoTime() + timeoutNanos);
    }

    private static final class Caller extends FutureTask<@Nullable String> {

        final Thread thread;

        Caller(Link link, String key, long timeoutNanos) {
            super(() -> call(link, key, timeoutNanos));
            thread = new Thread(this, "caller of " + key);
            thread.start();
        }

        void giveUp() {
            thread.interrupt();
        }
    }

    private static Caller callElsewhere(Link link, String key) {
        Caller caller = new Caller(link, key, NEVER_NANOS);
        eventually("sent", () -> link.inFlight() == 1);
        return caller;
    }

    private static <T> T result(FutureTask<T> call) throws Exception {
        return call.get(LONG_NANOS, TimeUnit.NANOSECONDS);
    }

    private static void becomesReader(Link link) {
        LinkReader reader = (LinkReader) link.readFrom();
        eventually("a thread reads", () -> reader.hasReader() && reader.heldUpNanos(System.nanoTime()) == 0);
    }

    @Test
    void readerWritesAndReadsForCallersOfAnotherServer() throws Exception {
        Link slow = open(late());
        Link quick = open(answeringServer());
        Caller reader = callElsewhere(slow, "a");
        becomesReader(slow);

        for (int i = 0; i < 100; i++) {
            assertThat(call(quick, "b" + i, LONG_NANOS)).isEqualTo("value of b" + i);
        }
        assertThat(reader.isDone()).isFalse();
        answers.countDown();
        assertThat(result(reader)).isEqualTo("value of a");
    }

    @Test
    void readerThatTimesOutHandsOverToACallerOfAnotherServer() throws Exception {
        Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
        Link slow = open(late());
        Caller reader = new Caller(silent, "a", TimeUnit.MILLISECONDS.toNanos(50));
        Caller other = callElsewhere(slow, "b");

        assertThat(failureOf(reader)).isInstanceOf(MemcachedTimeoutException.class);
        answers.countDown();
        assertThat(result(other)).isEqualTo("value of b");
    }

    @Test
    void readerWhoseServerClosesHandsOverToACallerOfAnotherServer() throws Exception {
        ScriptedServer lost = scriptedServer().onConnection(c -> c.stall().cut());
        Link slow = open(late());
        Link closing = open(lost);
        Caller reader = callElsewhere(closing, "a");
        becomesReader(closing);
        Caller other = callElsewhere(slow, "b");
        release(lost, 0);

        assertThat(failureOf(reader)).isInstanceOf(MemcachedConnectionException.class);
        answers.countDown();
        assertThat(result(other)).isEqualTo("value of b");
        assertThat(slow.isAlive()).isTrue();
    }

    /** The reader hands over to the caller of a link that fails at the same moment. */
    @Test
    void closingALinkWhoseCallerIsToReadWakesAnother() throws Exception {
        for (int i = 0; i < 50; i++) {
            ScriptedServer server = answeringServer();
            Link closed = open(scriptedServer().onConnection(c -> c.ignore()));
            Link stays = open(server);
            Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
            Caller reader = callElsewhere(silent, "a");
            Caller successor = callElsewhere(closed, "b");
            Caller other = new Caller(stays, "c", NEVER_NANOS);
            reader.giveUp();
            LockSupport.parkNanos(i * 5_000L);
            closed.close();

            assertThat(failureOf(reader)).isInstanceOf(MemcachedInterruptedException.class);
            assertThat(failureOf(successor)).isInstanceOf(MemcachedConnectionException.class);
            assertThat(result(other)).isEqualTo("value of c");
            stays.close();
            silent.close();
        }
    }

    @Test
    void readerOfSeveralServersWritesForManyCallersOnly() throws Exception {
        Link first = open(answeringServer());
        LinkReader reader = (LinkReader) first.readFrom();
        assertThat(reader.writesForAll()).as("one server").isFalse();
        assertThat(call(first, "a", LONG_NANOS)).isEqualTo("value of a");
        assertThat(yields).as("one server").hasValue(0);
        Link second = open(answeringServer());
        assertThat(reader.writesForAll()).isEqualTo(manyCallers);
        assertThat(call(second, "b", LONG_NANOS)).isEqualTo("value of b");
        assertThat(yields.get() > 0).as("yields").isEqualTo(manyCallers);
        for (int i = 0; i < 100; i++) {
            first.tick(System.nanoTime());
            second.tick(System.nanoTime());
        }

        assertThat(reader.writesForAll()).as("after a time without commands").isFalse();
    }

    private static List<Exchange<@Nullable String>> sendTogether(JointWait wait, List<Link> links) {
        List<Exchange<@Nullable String>> sent = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            Exchange<@Nullable String> exchange = exchange(links.get(i), "k" + i);
            exchange.sendAhead();
            links.get(i).send(exchange);
            exchange.join(wait);
            sent.add(exchange);
        }
        wait.setComplete(true);
        return sent;
    }

    @Test
    void callerReadsAllRepliesOfAJointWaitBeforeItReturns() throws Exception {
        List<Link> links = List.of(open(answeringServer()), open(answeringServer()), open(answeringServer()));
        for (int i = 0; i < 100; i++) {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), links);
            assertThat(sent.get(0).await(LONG_NANOS)).isEqualTo("value of k0");
            assertThat(sent).allMatch(Exchange::isOver);
            assertThat(sent.get(2).await(LONG_NANOS)).isEqualTo("value of k2");
        }
    }

    @Test
    void callerThatAwaitsSeveralReadsWhenTheReaderGivesUp() throws Exception {
        Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
        List<Link> links = List.of(open(late()), open(answeringServer()), open(answeringServer()));
        Caller reader = callElsewhere(silent, "a");
        becomesReader(silent);
        FutureTask<@Nullable String> caller = new FutureTask<>(() -> {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), links);
            return sent.get(0).await(NEVER_NANOS);
        });
        Thread thread = new Thread(caller, "caller");
        thread.start();
        eventually("it sleeps", () -> isAsleep(thread));
        reader.giveUp();
        assertThat(failureOf(reader)).isInstanceOf(MemcachedInterruptedException.class);
        assertThat(caller.isDone()).isFalse();
        answers.countDown();

        assertThat(result(caller)).isEqualTo("value of k0");
    }

    /** The caller of a silent server reads throughout, so that nobody but the last reply wakes the other caller. */
    @Test
    void callerOfSeveralIsWokenByTheReaderOfOthers() throws Exception {
        CountDownLatch firstAnswers = new CountDownLatch(1);
        Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
        Link first = open(late(firstAnswers));
        List<Link> links = List.of(first, open(late()), open(answeringServer()));
        Caller reader = callElsewhere(silent, "a");
        becomesReader(silent);
        FutureTask<Boolean> caller = new FutureTask<>(() -> {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), links);
            assertThat(sent.get(0).await(NEVER_NANOS)).isEqualTo("value of k0");
            return sent.stream().allMatch(Exchange::isOver);
        });
        Thread thread = new Thread(caller, "caller");
        thread.start();
        eventually("it sleeps", () -> isAsleep(thread) && first.inFlight() == 1);
        firstAnswers.countDown();
        eventually("the first has come", () -> first.completed() == 1);
        assertThat(caller.isDone()).isFalse();
        answers.countDown();

        assertThat(result(caller)).isTrue();
        assertThat(reader.isDone()).isFalse();
        silent.close();
        assertThat(failureOf(reader)).isInstanceOf(MemcachedConnectionException.class);
    }

    private static boolean isAsleep(Thread caller) {
        return Arrays.stream(caller.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(CallerDrivenLink.class.getName())
                        && frame.getMethodName().equals("sleep"));
    }

    @Test
    void callerOfSeveralActsOnAFailureWhileAnotherServerIsSilent() throws Exception {
        ScriptedServer lost = scriptedServer().onConnection(c -> c.stall().cut());
        Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
        List<Link> links = List.of(open(answeringServer()), open(lost), silent);
        CountDownLatch sentAll = new CountDownLatch(1);
        CompletableFuture<Boolean> caller = calling(() -> {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), links);
            sentAll.countDown();
            assertThat(sent.get(0).await(NEVER_NANOS)).isEqualTo("value of k0");
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> sent.get(1).await(NEVER_NANOS));
            return sent.get(2).isOver();
        });
        passes(sentAll);
        release(lost, 0);

        assertThat(result(caller)).isFalse();
    }

    /** The server that was silent is to blame, though its part is awaited last. */
    @Test
    void oneSilentServerLeavesTheRepliesOfTheOthers() throws Exception {
        List<String> blamed = new ArrayList<>();
        ScriptedServer server = scriptedServer().onConnection(c -> c.ignore());
        Link silent = opener.open(server.address(), context(server, 0), LONG_NANOS, new Link.Listener() {
            @Override
            public void linkLost(Link link, Throwable cause) {}

            @Override
            public void timedOut(Link link, long sentNanos, String why) {
                blamed.add(why);
            }
        });
        closedAfterwards(silent::close);
        CountDownLatch answered = new CountDownLatch(1);
        Link answering = open(scriptedServer().onConnection(c -> {
            c.send(replyTo(c.readLine()));
            answered.countDown();
            answer(c);
        }));
        List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), List.of(answering, silent));
        // So that the timeout is over only for the other.
        passes(answered);

        assertThat(sent.get(0).await(SHORT.toNanos())).isEqualTo("value of k0");
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> sent.get(1).await(-1))
                .withMessageMatching("no reply within [1-9].*");
        assertThat(blamed).hasSize(1);
        assertThat(call(answering, "again", LONG_NANOS)).isEqualTo("value of again");
    }

    /** The caller that is to read goes away for one of its failures, and has another reply left. */
    @ParameterizedTest(name = "reads itself: {0}")
    @ValueSource(booleans = {true, false})
    void callerOfSeveralThatLeavesForAFailureHandsOver(boolean reads) throws Exception {
        ScriptedServer lost = scriptedServer().onConnection(c -> c.stall().cut());
        Link slow = open(late());
        Link failing = open(lost);
        Link silent = open(scriptedServer().onConnection(c -> c.ignore()));
        Caller reader = null;
        if (!reads) {
            reader = callElsewhere(silent, "a");
            becomesReader(silent);
        }
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch sentAll = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        CompletableFuture<Boolean> caller = calling(() -> {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), List.of(failing, slow));
            sentAll.countDown();
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> sent.get(0).await(LONG_NANOS));
            assertThat(sent.get(1).isOver()).isFalse();
            left.countDown();
            passes(busy);
            assertThat(sent.get(1).await(LONG_NANOS)).isEqualTo("value of k1");
            return true;
        });
        passes(sentAll);
        Caller behind = new Caller(slow, "b", NEVER_NANOS);
        eventually("sent", () -> slow.inFlight() == 2);
        becomesReader(slow);
        release(lost, 0);
        passes(left);
        if (reader != null) {
            reader.giveUp();
            assertThat(failureOf(reader)).isInstanceOf(MemcachedInterruptedException.class);
        }
        answers.countDown();

        assertThat(result(behind)).isEqualTo("value of b");
        busy.countDown();
        result(caller);
    }

    @Test
    void repliesFromTwoReadersAreAwaitedOneAfterTheOther() throws Exception {
        List<Link> links = List.of(open(answeringServer(), opener, 0), open(answeringServer(), opener, 1));
        assertThat(links.get(0).readFrom()).isNotSameAs(links.get(1).readFrom());
        for (int i = 0; i < 100; i++) {
            List<Exchange<@Nullable String>> sent = sendTogether(new JointWait(), links);
            assertThat(sent.get(0).await(LONG_NANOS)).isEqualTo("value of k0");
            assertThat(sent.get(1).await(LONG_NANOS)).isEqualTo("value of k1");
        }
    }

    @Test
    void manyCallersOfManyServersLoseNoReplyWhileLinksAreClosed() throws Exception {
        List<ScriptedServer> servers =
                List.of(answeringServer(), answeringServer(), answeringServer(), answeringServer());
        List<AtomicReference<Link>> links = new ArrayList<>();
        for (ScriptedServer server : servers) {
            links.add(new AtomicReference<>(open(server)));
        }
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        closedAfterwards(() -> over.set(true));
        List<CompletableFuture<Integer>> callers = IntStream.range(0, 8)
                .mapToObj(first -> calling(() -> {
                    int n = first;
                    for (; !over.get(); n++) {
                        callOneOrAll(links, n, calls);
                    }
                    return n;
                }))
                .toList();
        for (int n = 0; n < 60 || calls.get() < 1_000; n++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            int index = n % servers.size();
            Link before = links.get(index).get();
            links.get(index).set(open(servers.get(index)));
            before.close();
        }
        over.set(true);
        callers.forEach(ConnectionFixture::result);
    }

    /** Fails if there is neither a reply nor the failure of a closed link soon. */
    private static void callOneOrAll(List<AtomicReference<Link>> links, int n, AtomicInteger calls) {
        try {
            if (n % 3 == 0) {
                List<Exchange<@Nullable String>> sent = sendTogether(
                        new JointWait(),
                        links.stream().map(AtomicReference::get).toList());
                for (int i = 0; i < sent.size(); i++) {
                    assertThat(sent.get(i).await(LONG_NANOS)).isEqualTo("value of k" + i);
                }
            } else {
                assertThat(call(links.get(n % links.size()).get(), "k" + n, LONG_NANOS))
                        .isEqualTo("value of k" + n);
            }
            calls.incrementAndGet();
        } catch (MemcachedConnectionException e) {
            assertThat(e).hasMessageContaining("closed by this client");
        }
    }

    private static @Nullable Throwable failureOf(FutureTask<?> call) throws InterruptedException {
        try {
            call.get(LONG_NANOS, TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return e.getCause() instanceof MemcachedException failure ? failure : e;
        }
    }
}
