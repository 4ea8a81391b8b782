// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutexWaitersTest {

    private static final int PLACES = 512;
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final FutexWaiters waiters = new FutexWaiters();

    @Test
    void theSystemCallHasANumberWhereItIsKnown() {
        assertThat(Futex.number("Linux", "amd64", 202, 98)).isEqualTo(202);
        assertThat(Futex.number("Linux", "aarch64", 202, 98)).isEqualTo(98);
        assertThat(Futex.number("Linux", "s390x", 202, 98)).isZero();
        assertThat(Futex.number("Windows 11", "amd64", 202, 98)).isZero();
    }

    @Test
    void isUsedWhereNativeAccessIsEnabled() throws Exception {
        boolean enabled = Runtime.version().feature() >= 22
                && (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(Futex.class.getModule());
        boolean known = Futex.number(System.getProperty("os.name"), System.getProperty("os.arch"), 1, 1) > 0;

        assertThat(Futex.isAvailable()).isEqualTo(enabled && known);
    }

    @Test
    void aThreadSleepsUntilItIsWoken() throws Exception {
        Sleeper sleeper = new Sleeper();
        sleeper.awaitAsleep();

        sleeper.goesOn = true;
        FutexWaiters.Place.wake(sleeper.place.get(), false);

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
            FutexWaiters.Place.wake(sleeper.place.get(), true);
        }
        waiters.wakeAll();

        for (Sleeper sleeper : sleepers) {
            sleeper.thread.join();
        }
    }

    @Test
    void aWakeUpBeforeTheSleepIsNotLost() {
        FutexWaiters.Place place = takePlace();

        FutexWaiters.Place.wake(place, false);

        place.await(System.nanoTime() + MINUTE_NANOS, false);
    }

    @Test
    void aTickEndsASleepAfterItsTime() throws Exception {
        Sleeper sleeper = new Sleeper();
        sleeper.awaitAsleep();

        sleeper.goesOn = true;
        waiters.tick(sleeper.deadline + TICK_NANOS);

        sleeper.thread.join();
    }

    @Test
    void aTickLeavesOthersAsleep() throws Exception {
        Sleeper sleeper = new Sleeper();
        Sleeper interrupted = new Sleeper();
        sleeper.awaitAsleep();
        interrupted.awaitAsleep();

        interrupted.thread.interrupt();
        waiters.tick(System.nanoTime() + TICK_NANOS);
        interrupted.thread.join();

        assertThat(sleeper.sleeps).hasValue(1);
        sleeper.thread.interrupt();
    }

    @Test
    void aPlaceIsTakenOnceUntilItIsReleased() {
        List<FutexWaiters.Place> places =
                IntStream.range(0, PLACES).mapToObj(i -> takePlace()).toList();
        assertThat(places).doesNotHaveDuplicates();
        assertThat(waiters.take()).isNull();

        assertThat(places.get(300).thread()).isSameAs(Thread.currentThread());
        places.get(300).release();

        assertThat(places.get(300).thread()).isNull();
        assertThat(waiters.take()).isSameAs(places.get(300));
        assertThat(waiters.take()).isNull();
    }

    @Test
    void aVirtualThreadHasNoPlace() throws Exception {
        takePlace().release();
        AtomicReference<@Nullable FutexWaiters.Place> place = new AtomicReference<>(takePlace());
        Runnable take = () -> place.set(waiters.take());

        Thread virtual = (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, take);
        virtual.join();

        assertThat(place).hasNullValue();
    }

    private FutexWaiters.Place takePlace() {
        FutexWaiters.Place place = waiters.take();
        assumeTrue(place != null, "no futex here, or no access to it");
        return place;
    }

    /** Thread that sleeps until it may go on. */
    private final class Sleeper {

        final AtomicReference<@Nullable FutexWaiters.Place> place = new AtomicReference<>();
        final AtomicInteger sleeps = new AtomicInteger();
        final long deadline = System.nanoTime() + MINUTE_NANOS;
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
                FutexWaiters.Place mine = takePlace();
                place.set(mine);
                taken.countDown();
                if (!goesOn && !Thread.currentThread().isInterrupted()) {
                    sleeps.incrementAndGet();
                    mine.await(deadline, false);
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
