// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConnectThreadsTest {

    private final ConnectThreads threads = new ConnectThreads(1);
    private final CountDownLatch servers = new CountDownLatch(1);

    @AfterEach
    void close() {
        servers.countDown();
        threads.shutdownNow();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aThousandAttemptsDoNotTakeAThousandThreads() {
        for (int i = 0; i < 1_000; i++) {
            threads.start(() -> ConnectionFixture.passes(servers), 0);
        }
        assertThat(threads.getPoolSize()).isEqualTo(ConnectThreads.MAX);
        servers.countDown();
        eventually("all were made", () -> threads.getCompletedTaskCount() == 1_000);
        eventually("idle threads end", () -> threads.getPoolSize() == 0);
    }

    @Test
    void theFirstAttemptsGoBeforeThoseAfterFailures() throws Exception {
        CountDownLatch one = new CountDownLatch(1);
        threads.start(() -> ConnectionFixture.passes(one), 0);
        for (int i = 1; i < ConnectThreads.MAX; i++) {
            threads.start(() -> ConnectionFixture.passes(servers), 0);
        }
        List<String> made = new CopyOnWriteArrayList<>();
        Future<?> last = threads.start(() -> made.add("after 5"), 5);
        threads.start(() -> made.add("after 1"), 1);
        threads.start(() -> made.add("first"), 0);
        threads.start(() -> made.add("second"), 0);
        threads.start(() -> made.add("cancelled"), 0).cancel(true);
        // One thread has time for others now.
        one.countDown();
        last.get();
        assertThat(made).containsExactly("first", "second", "after 1", "after 5");
    }
}
