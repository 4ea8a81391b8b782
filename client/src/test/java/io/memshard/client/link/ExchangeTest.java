// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExchangeTest {

    private static final LinkContext CONTEXT =
            new LinkContext(new ServerAddress("localhost", 11211), 0, new ConnectionOptions(), Protocol.META);

    private static Exchange<@Nullable Void> exchange() {
        return new Exchange<>(new MetaNoop(), CONTEXT);
    }

    @Test
    void oneThatIsEndedAsQueuedIsNeverWritten() {
        Exchange<@Nullable Void> exchange = exchange();

        assertThat(exchange.endingPhase()).isEqualTo(Phase.QUEUED);
        assertThat(exchange.startWriting(7)).isFalse();
        assertThat(exchange.isWritten()).isFalse();
        assertThat(exchange.isSkipped())
                .as("which lets the reader pass, but only behind the writer")
                .isFalse();
        exchange.skip();
        assertThat(exchange.isSkipped()).isTrue();
    }

    /** Thousands of commands may time out together, and each is looked for. */
    @Test
    void aPositionFarBehindIsNotLookedFor() {
        ExchangeQueue queue = new ExchangeQueue(CONTEXT);
        for (int i = 1; i <= ExchangeQueue.LAST_POSITION; i++) {
            Exchange<?> next = exchange();
            queue.offer(next);
            assertThat(queue.position(next)).isEqualTo(i);
        }
        Exchange<?> behind = exchange();
        queue.offer(behind);

        assertThat(queue.position(behind)).isZero();
    }

    /** Otherwise its future would be completed without an outcome. */
    @Test
    void exchangeOfferedWhileOthersFailIsLeftToItsSender() {
        ExchangeQueue queue = new ExchangeQueue(CONTEXT);
        Exchange<@Nullable Void> late = new Exchange<>(new MetaNoop(), CONTEXT);
        CompletableFuture<@Nullable Void> future = late.toFuture(Duration.ofSeconds(10));
        AtomicBoolean isOffered = new AtomicBoolean();
        queue.offer(new Exchange<>(new MetaNoop(), CONTEXT) {
            @Override
            public void release() {
                if (isOffered.compareAndSet(false, true)) {
                    queue.offer(late);
                }
            }
        });
        IOException cause = new IOException("reset");

        LinkFailure.failAll(queue, cause, listener());
        assertThat(future).isNotDone();

        LinkFailure.failAll(queue, cause, listener());
        assertThat(future).isCompletedExceptionally();
        assertThat(future.handle((nothing, failure) -> failure))
                .isCompletedWithValueMatching(failure -> failure.getMessage().startsWith("connection lost (reset)"));
    }

    private static Link.Listener listener() {
        return new Link.Listener() {
            @Override
            public void linkLost(Link link, Throwable cause) {}

            @Override
            public void failed(List<Exchange<?>> exchanges) {
                exchanges.forEach(Exchange::completeFuture);
            }
        };
    }
}
