// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.locks.Wait.WaitBucket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * Test of the lock profile: plants a lock in a load that has no other, and checks whether the profile finds it.
 * Threading: stateless.
 */
public final class LockFinder {

    /** Number of threads that take the lock. */
    public static final int CALLERS = 4;

    /** Time for which each thread holds the lock. */
    public static final long HOLD_MICROS = 200;

    private static final Duration WARM_UP = Duration.ofMillis(200);
    private static final Duration WINDOW = Duration.ofMillis(500);

    private LockFinder() {}

    /**
     * Answer of the profile.
     *
     * @param isFound whether callers waited longest at the planted lock
     * @param place place of the lock at which they waited longest
     * @param millisPerSecond mean over all callers of the milliseconds per second spent waiting for locks
     */
    public record Answer(boolean isFound, String place, double millisPerSecond) {}

    /** Plants the lock and searches for it. */
    public static Answer find() throws IOException, InterruptedException {
        Path recording = Files.createTempFile("planted-lock", ".jfr");
        try {
            return answer(ProfiledLoad.record("planted-lock", CALLERS, planted(), WARM_UP, WINDOW, recording));
        } finally {
            Files.deleteIfExists(recording);
        }
    }

    private static IntFunction<ProfiledLoad.Call> planted() {
        ReentrantLock lock = new ReentrantLock();
        return caller -> number -> {
            lock.lock();
            try {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(HOLD_MICROS));
            } finally {
                lock.unlock();
            }
            return true;
        };
    }

    private static Answer answer(ProfiledLoad load) {
        double millis = load.waits().stream()
                .filter(waits -> waits.bucket() == WaitBucket.LOCK && waits.ofCallers())
                .mapToDouble(waits -> waits.totalMillis() / load.profile().seconds() / CALLERS)
                .sum();
        for (Site site : load.profile().sites()) {
            if (site.bucket() == WaitBucket.LOCK) {
                boolean planted = site.ofCallers() && site.frame().startsWith(LockFinder.class.getName());
                return new Answer(planted, site.frame(), millis);
            }
        }
        return new Answer(false, "no lock at all", millis);
    }
}
