// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.FutexWaiter;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a link holds and owes, also when an {@link Error} meets it anywhere: nobody hangs, and nothing is kept. */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
@Timeout(120)
class LinkErrorIT extends ConnectionFixture {

    private final Transport transport;
    private LinkOpener opener;

    LinkErrorIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    @BeforeEach
    void chooseOpener() {
        opener = transport == Transport.EVENT_LOOP
                ? closedAfterwards(new EventLoopOpener(1, options()))
                : closedAfterwards(new CallerDrivenOpener());
    }

    private Link open(ScriptedServer server) throws Exception {
        return open(server, (lost, cause) -> {});
    }

    private Link open(ScriptedServer server, Link.Listener listener) throws Exception {
        Link link = opener.open(server.address(), context(server), LONG_NANOS, listener);
        closedAfterwards(() -> {
            link.close();
            link.awaitClosed(System.nanoTime() + LONG_NANOS);
        });
        return link;
    }

    private static <T> CompletableFuture<T> called(Link link, Exchange<T> exchange) {
        int before = link.inFlight();
        CompletableFuture<T> call = calling(() -> {
            exchange.registerCaller(3 * LONG_NANOS);
            link.send(exchange);
            return exchange.awaitAsRegistered(3 * LONG_NANOS);
        });
        eventually("in flight", () -> link.inFlight() > before || call.isDone());
        return call;
    }

    @Test
    void errorWhileRepliesAreToldLeavesNobodyWaiting() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.send(replyTo(c.readLine()) + replyTo(c.readLine()) + replyTo(c.readLine()));
            c.ignore();
        });
        Link link = open(server);
        List<CompletableFuture<@Nullable String>> calls = new ArrayList<>();
        // It lacks stack or memory when its reply is told, as a wake-up deep in a stack may.
        calls.add(called(link, new Exchange<>(get("a"), context(server)) {
            @Override
            public boolean complete() {
                throw new OutOfMemoryError("of the test");
            }
        }));
        eventually("the first sent", () -> received(server, 0).contains("mg a "));
        calls.add(called(link, new Exchange<>(get("b"), context(server))));
        calls.add(called(link, new Exchange<>(get("c"), context(server))));

        calls.forEach(call ->
                assertThat(failure(MemcachedConnectionException.class, call)).hasMessageContaining("of the test"));
        assertThat(link.isAlive()).isFalse();
    }

    /** Of a link whose end is cut short, as by lack of stack in the thread that ends it. */
    @Test
    void tickEndsWhatTheEndOfALinkHasLeft() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> c.ignore());
        AtomicInteger told = new AtomicInteger();
        Link link = open(server, (lost, cause) -> {
            if (told.getAndIncrement() == 0) {
                throw new StackOverflowError("of the test");
            }
        });
        CompletableFuture<@Nullable String> future = future(link, new Exchange<>(get("a"), context(server)));
        try {
            link.close();
        } catch (StackOverflowError e) {
            assertThat(e).hasMessage("of the test");
        }

        eventually("ended", () -> link.tick(System.nanoTime()) && future.isDone());
        failure(MemcachedConnectionException.class, future);
        eventually("no more to be ticked", () -> !link.tick(System.nanoTime()));
    }

    private static <T> CompletableFuture<T> future(Link link, Exchange<T> exchange) {
        link.send(exchange);
        return exchange.toFuture(LONG);
    }

    /** Or else a large value stays for as long as the connection is idle. */
    @Test
    void idleLinkKeepsNoCommand() throws Exception {
        ScriptedServer server = answeringServer();
        Link link = open(server);
        WeakReference<Exchange<?>> last = useOnce(link, context(server));
        long start = System.nanoTime();

        eventually("collected", () -> {
            link.tick(System.nanoTime() + (System.nanoTime() - start) * 20);
            System.gc();
            return last.get() == null;
        });
        assertThat(future(link, new Exchange<>(get("a"), context(server))).get(LONG_NANOS, TimeUnit.NANOSECONDS))
                .isEqualTo("value of a");
        eventually("nothing in flight", () -> link.inFlight() == 0);
    }

    private static WeakReference<Exchange<?>> useOnce(Link link, LinkContext context) {
        Exchange<@Nullable String> exchange = new Exchange<>(get("a"), context);
        link.send(exchange);
        assertThat(exchange.await(LONG_NANOS)).isEqualTo("value of a");
        return new WeakReference<>(exchange);
    }

    @Test
    void callerThatCannotWaitHoldsUpNobody() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            String first = c.readLine();
            String second = c.readLine();
            c.stall().send(replyTo(first) + replyTo(second)).ignore();
        });
        Link link = open(server);
        CompletableFuture<@Nullable String> other = called(link, new Exchange<>(get("b"), context(server)));
        // As where a park or a sleep finds no stack.
        CompletableFuture<@Nullable String> one = called(link, new Exchange<>(get("a"), context(server)) {
            @Override
            public void park(long remainingNanos) {
                throw new StackOverflowError("of the test");
            }

            @Override
            public void sleepAt(@Nullable FutexWaiter where) {
                throw new StackOverflowError("of the test");
            }
        });
        eventually("ended", one::isDone);
        release(server, 0);

        Throwable failure = result(one.handle((value, thrown) -> Futures.cause(thrown)));
        assertThat(failure).isInstanceOfAny(StackOverflowError.class, MemcachedException.class);
        result(other.handle((value, thrown) -> value));
    }
}
