package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.testkit.ScriptedServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hand-overs of a caller-driven link in the one order of events that chance seldom brings about. */
@Timeout(60)
class CallerDrivenLinkIT extends ConnectionFixture {

    CallerDrivenLinkIT() {
        super(Transport.CALLER_DRIVEN, Protocol.META);
    }

    /** An exchange whose owner begins to wait when the reader that leaves has just found that nobody does. */
    private static final class WaitedForLate extends Exchange<@Nullable String> {

        final Thread reader;
        final CountDownLatch passedOver = new CountDownLatch(1);
        final CountDownLatch waits = new CountDownLatch(1);

        WaitedForLate(Command<@Nullable String> command, LinkIdentity identity, Thread reader) {
            super(command, identity);
            this.reader = reader;
        }

        @Override
        @Nullable
        Thread waitingThread() {
            Thread thread = super.waitingThread();
            if (Thread.currentThread() == reader && thread == null && passedOver.getCount() > 0) {
                passedOver.countDown();
                passes(waits);
            }
            return thread;
        }

        @Override
        void park(long remainingNanos) {
            waits.countDown();
            super.park(remainingNanos);
        }
    }

    @Test
    void callerThatBeginsToWaitWhileTheReaderLeavesIsServed() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            String first = c.readLine();
            String late = c.readLine();
            c.send(replyTo(first)).stall().send(replyTo(late)).ignore();
        });
        LinkIdentity identity = new LinkIdentity(address(server), 0, options, Protocol.META);
        Link link = CallerDrivenLink.open(server.address(), identity, LONG_NANOS, (lost, cause) -> {});
        closedAfterwards(link::close);

        Exchange<@Nullable String> first = new Exchange<>(get("first"), identity);
        FutureTask<@Nullable String> firstCall = new FutureTask<>(() -> {
            first.registerCaller();
            link.send(first);
            return first.awaitAsRegistered(LONG_NANOS);
        });
        Thread reader = new Thread(firstCall, "reader");
        WaitedForLate late = new WaitedForLate(get("late"), identity, reader);
        reader.start();
        eventually("sent", () -> link.inFlight() == 1);
        link.send(late);
        FutureTask<@Nullable String> lateCall = new FutureTask<>(() -> {
            passes(late.passedOver);
            return late.await(LONG_NANOS);
        });
        new Thread(lateCall, "late").start();

        assertThat(firstCall.get(LONG_NANOS, TimeUnit.NANOSECONDS)).isEqualTo("value of first");
        release(server, 0);
        assertThat(lateCall.get(2 * LONG_NANOS, TimeUnit.NANOSECONDS)).isEqualTo("value of late");
    }
}
