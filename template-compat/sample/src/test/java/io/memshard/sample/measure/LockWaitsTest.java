// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class LockWaitsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void waitsOfCallersAreCountedByCause() throws InterruptedException {
        try (LockWaits waits = LockWaits.record("counted-")) {
            waitOnce("counted-1");
            waitOnce("other-1");

            Eventually.eventually(
                    "the waits of one thread",
                    LONG,
                    () -> waits.count(WaitBucket.LOCK) > 0
                            && waits.count(WaitBucket.POOL_EXHAUSTED) > 0
                            && waits.count(WaitBucket.REPLY) > 0);
            assertThat(waits.count(WaitBucket.LOCK)).isEqualTo(1);
            assertThat(waits.count(WaitBucket.POOL_EXHAUSTED)).isEqualTo(1);
            assertThat(waits.isIncomplete()).isFalse();
        }
    }

    /** Waits for a lock, a permit and a latch, each until the thread is seen to wait. */
    private static void waitOnce(String name) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Semaphore permits = new Semaphore(0);
        CountDownLatch latch = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    lock.lock();
                    permits.acquireUninterruptibly();
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                name);
        lock.lock();
        thread.start();
        Eventually.eventually("a wait for the lock", LONG, () -> lock.hasQueuedThread(thread));
        awaitParked(thread);
        lock.unlock();
        Eventually.eventually("a wait for a permit", LONG, permits::hasQueuedThreads);
        awaitParked(thread);
        permits.release();
        Eventually.eventually("the permit is taken", LONG, () -> !permits.hasQueuedThreads());
        awaitParked(thread);
        latch.countDown();
        thread.join();
    }

    private static void awaitParked(Thread thread) {
        Eventually.eventually("a thread that waits", LONG, () -> thread.getState() == Thread.State.WAITING);
    }
}
