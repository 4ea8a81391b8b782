// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutexWaitersTest {

    private static final int PLACES = 512;

    private final FutexWaiters waiters = new FutexWaiters();

    @Test
    void theSystemCallHasANumberWhereItIsKnown() {
        assertThat(Futex.number("Linux", "amd64")).isEqualTo(202);
        assertThat(Futex.number("Linux", "aarch64")).isEqualTo(98);
        assertThat(Futex.number("Linux", "s390x")).isZero();
        assertThat(Futex.number("Windows 11", "amd64")).isZero();
    }

    @Test
    void isUsedWhereNativeAccessIsEnabled() throws Exception {
        boolean enabled = Runtime.version().feature() >= 22
                && (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(Futex.class.getModule());
        boolean known = Futex.number(System.getProperty("os.name"), System.getProperty("os.arch")) > 0;

        assertThat(Futex.isAvailable()).isEqualTo(enabled && known);
    }

    @Test
    void hasNoPlacesWhereItIsNotUsed() {
        assumeTrue(!Futex.isAvailable());

        assertThat(waiters.take()).isNull();
        waiters.wakeAll();
        waiters.wakeEvery();
    }

    @Test
    void aThreadSleepsUntilItIsWoken() throws Exception {
        Sleeper sleeper = new Sleeper();
        sleeper.awaitAsleep();

        sleeper.goesOn = true;
        FutexWaiters.wake(sleeper.place.get(), false);

        sleeper.thread.join();
    }

    /** More than a word of them, so that the batch takes several calls. */
    @Test
    void aBatchWakesAllOfItsThreads() throws Exception {
        List<Sleeper> sleepers = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            sleepers.add(new Sleeper());
        }
        for (Sleeper sleeper : sleepers) {
            sleeper.awaitAsleep();
        }

        for (Sleeper sleeper : sleepers) {
            sleeper.goesOn = true;
            FutexWaiters.wake(sleeper.place.get(), true);
        }
        waiters.wakeAll();

        for (Sleeper sleeper : sleepers) {
            sleeper.thread.join();
        }
    }

    @Test
    void aWakeUpBeforeTheSleepIsNotLost() {
        FutexWaiters.Waiter place = takePlace();

        FutexWaiters.wake(place, false);

        place.await();
    }

    @Test
    void theTimerLetsAnInterruptedThreadLook() throws Exception {
        Sleeper sleeper = new Sleeper();
        sleeper.awaitAsleep();

        sleeper.thread.interrupt();
        waiters.wakeEvery();

        sleeper.thread.join();
    }

    @Test
    void aPlaceIsTakenOnceUntilItIsReleased() {
        List<FutexWaiters.Waiter> places =
                IntStream.range(0, PLACES).mapToObj(i -> takePlace()).toList();
        assertThat(places).doesNotHaveDuplicates();
        assertThat(waiters.take()).isNull();

        places.get(300).release();

        assertThat(waiters.take()).isSameAs(places.get(300));
        assertThat(waiters.take()).isNull();
    }

    @Test
    void aVirtualThreadHasNoPlace() throws Exception {
        takePlace().release();
        AtomicReference<FutexWaiters.@Nullable Waiter> place = new AtomicReference<>(takePlace());
        Runnable take = () -> place.set(waiters.take());

        Thread virtual = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, take);
        virtual.join();

        assertThat(place).hasNullValue();
    }

    @Test
    void tellsThreads() {
        FutexWaiters.Waiter place = takePlace();

        assertThat(FutexWaiters.thread(place)).isSameAs(Thread.currentThread());
        assertThat(FutexWaiters.thread(Thread.currentThread())).isSameAs(Thread.currentThread());
        assertThat(FutexWaiters.thread("neither")).isNull();
        assertThat(FutexWaiters.thread(null)).isNull();
    }

    private FutexWaiters.Waiter takePlace() {
        FutexWaiters.Waiter place = waiters.take();
        assumeTrue(place != null, "no futex here, or no access to it");
        return place;
    }

    /** Thread that sleeps until it may go on. */
    private final class Sleeper {

        final AtomicReference<FutexWaiters.@Nullable Waiter> place = new AtomicReference<>();
        final CountDownLatch taken = new CountDownLatch(1);
        final Thread thread = new Thread(this::sleep);
        volatile boolean goesOn;

        Sleeper() {
            takePlace().release();
            thread.setDaemon(true);
            thread.start();
        }

        private void sleep() {
            while (!goesOn && !Thread.currentThread().isInterrupted()) {
                FutexWaiters.Waiter mine = takePlace();
                place.set(mine);
                taken.countDown();
                if (!goesOn && !Thread.currentThread().isInterrupted()) {
                    mine.await();
                }
                mine.release();
            }
        }

        void awaitAsleep() throws InterruptedException {
            taken.await();
            while (!isInFutex()) {
                Thread.sleep(1); // as often as it is looked for
            }
        }

        private boolean isInFutex() {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length > 0
                    && IntStream.range(0, stack.length)
                            .anyMatch(i -> stack[i].getClassName().equals(Futex.class.getName()));
        }
    }
}
