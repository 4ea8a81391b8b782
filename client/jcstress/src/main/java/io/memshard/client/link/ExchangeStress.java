// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races between a thread that waits for a reply and a thread that ends this wait. */
final class ExchangeStress {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final LinkContext CONTEXT =
            new LinkContext(new ServerAddress("localhost", 11211), 0, new ConnectionOptions(), Protocol.META);

    private ExchangeStress() {}

    static Exchange<@Nullable Void> exchange() {
        return new Exchange<>(new MetaNoop(), CONTEXT);
    }

    /** A thread parks while the thread that reads replies looks for a thread to unpark. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The waiter has the outcome.")
    @Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "The wake-up was lost.")
    @State
    public static class WaiterAgainstOutcome {

        private final Exchange<@Nullable Void> exchange = exchange();

        @Actor
        public void waiter(Z_Result result) {
            long start = System.nanoTime();
            exchange.await(2 * PATIENCE.toNanos());
            // Without a wake-up, the thread finds the outcome too, but only after its timeout.
            result.r1 = System.nanoTime() - start < PATIENCE.toNanos();
        }

        @Actor
        public void reader() {
            exchange.complete();
        }
    }

    /** A caller requests a future while the thread that reads replies looks for a future to complete. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The future is complete.")
    @Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "Neither thread completed the future.")
    @State
    public static class FutureAgainstOutcome {

        private final Exchange<@Nullable Void> exchange = exchange();
        private CompletableFuture<@Nullable Void> future;

        @Actor
        public void asker() {
            future = exchange.toFuture(PATIENCE);
        }

        @Actor
        public void reader() {
            if (exchange.complete()) {
                exchange.completeFuture();
            }
        }

        @Arbiter
        public void look(Z_Result result) {
            result.r1 = future.isDone();
        }
    }

    /** A command times out while another thread begins to write it. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Not written, and reported as unwritten.")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Written, and reported as written.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The report contradicts what the writer did.")
    @State
    public static class WithdrawalAgainstWriter {

        private final Exchange<@Nullable Void> exchange = exchange();

        @Actor
        public void caller(ZZ_Result result) {
            exchange.endingPhase();
            result.r1 = !exchange.isWritten();
        }

        @Actor
        public void writer(ZZ_Result result) {
            result.r2 = exchange.startWriting(1);
        }
    }
}
