// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.SlowStage;
import io.memshard.client.connection.CapturedLog;
import io.memshard.testkit.Eventually;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of event loops after an Error. */
class EventLoopsTest {

    private static final long NEVER_NANOS = TimeUnit.HOURS.toNanos(1);

    private final EventLoops loops = new EventLoops(2, NEVER_NANOS);

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void aLoopThatHasEndedIsReplacedAtOnce() {
        WatchedLoop ended = loops.next();
        WatchedLoop other = loops.next();
        ended.shutDown(0);
        ended.awaitTermination(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));

        WatchedLoop replacement = loops.next();
        assertThat(replacement).isNotIn(ended, other);
        assertThat(replacement.hasEnded()).isFalse();
        assertThat(loops.next()).isSameAs(other);
        assertThat(loops.next()).isSameAs(replacement);
    }

    @Test
    void codeThatBlocksALoopIsNamedByItsClass() throws InterruptedException {
        EventLoops replacing = new EventLoops(1, 0);
        WatchedLoop loop = replacing.next();
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        replacing.tick(System.nanoTime());
        loop.group().execute(() -> {
            runs.countDown();
            new SlowStage<>(goesOn).accept(null, null);
        });
        assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        try (CapturedLog log = new CapturedLog(EventLoops.class)) {
            Eventually.eventually("replaced", () -> {
                replacing.tick(System.nanoTime());
                return replacing.next() != loop;
            });
            assertThat(log.text()).contains("was replaced, because it is blocked by com.example.SlowStage");
        } finally {
            goesOn.countDown();
            replacing.close();
        }
    }
}
