// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class JointWaitTest {

    /** The caller awaits one reply alone after a failure, and that one may end before the last. */
    @Test
    void eachEndAfterAFailureWakesTheCaller() throws Exception {
        CompletableFuture<JointWait> waits = new CompletableFuture<>();
        CountDownLatch wokenOnce = new CountDownLatch(1);
        AtomicBoolean firstEnded = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            JointWait wait = new JointWait();
            for (int i = 0; i < 3; i++) {
                wait.add("reader");
            }
            wait.setComplete(true);
            assertThat(wait.begin()).isTrue();
            waits.complete(wait);
            while (wait.isLeft()) {
                LockSupport.park();
            }
            wokenOnce.countDown();
            while (!firstEnded.get()) {
                LockSupport.park();
            }
        });
        caller.setDaemon(true);
        caller.start();

        JointWait wait = waits.join();
        wait.end(true, false);
        wokenOnce.await();
        firstEnded.set(true);
        wait.end(false, false);

        caller.join();
    }
}
