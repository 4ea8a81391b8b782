// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Race between two threads that send. The thread that raises the queue's count from zero writes both commands. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both are written.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A command is left in the queue, and no thread will write it.")
@State
public class QueueStress {

    private static final LinkContext CONTEXT =
            new LinkContext(new ServerAddress("localhost", 11211), 0, new ConnectionOptions(), Protocol.META);

    private final ExchangeQueue queue = new ExchangeQueue(CONTEXT);
    private final AtomicInteger pendingOffers = new AtomicInteger();
    private final Exchange<?> first = new Exchange<>(new MetaNoop(), CONTEXT);
    private final Exchange<?> second = new Exchange<>(new MetaNoop(), CONTEXT);

    @Actor
    public void one() {
        send(first);
    }

    @Actor
    public void other() {
        send(second);
    }

    private void send(Exchange<?> exchange) {
        queue.offer(exchange);
        if (pendingOffers.getAndIncrement() == 0) {
            write();
        }
    }

    private void write() {
        int seen = pendingOffers.get();
        do {
            for (Exchange<?> next = queue.nextToWrite(); next != null; next = queue.nextToWrite()) {
                next.startWriting(1);
            }
            seen = pendingOffers.addAndGet(-seen);
        } while (seen != 0);
    }

    @Arbiter
    public void look(ZZ_Result result) {
        result.r1 = first.isWritten();
        result.r2 = second.isWritten();
    }
}
