// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.ProfiledLoad.CallerWaits;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits of the threads of one system with one number of callers. Threading: immutable.
 *
 * @param contender name of the system
 * @param connections sockets of the system
 * @param threads number of callers
 * @param seconds length of the load
 * @param operations calls that returned the right value; no measure of throughput, because each wait wrote an event
 * @param errors calls that failed
 * @param waits two entries for each {@link WaitBucket}: the waits of callers, and those of other threads
 * @param sites places with the longest total waits, the longest first; without {@code IDLE} waits
 * @param dataLost true if JFR dropped events, so that the counts are too low
 */
public record LockProfile(
        String contender,
        int connections,
        int threads,
        double seconds,
        long operations,
        long errors,
        List<CallerWaits> waits,
        List<Site> sites,
        boolean dataLost) {

    /** Returns the number of waits of one bucket, of callers and of other threads together, for 1,000 operations. */
    double waitsPerThousand(WaitBucket bucket) {
        long number = waits.stream()
                .filter(sum -> sum.bucket() == bucket)
                .mapToLong(CallerWaits::waits)
                .sum();
        return perThousand(number);
    }

    /**
     * Returns the blocked time of one bucket in milliseconds for each second and each caller; above 1,000 only if other
     * threads wait in addition to the callers.
     */
    double blockedMillisPerSecond(WaitBucket bucket) {
        double millis = waits.stream()
                .filter(sum -> sum.bucket() == bucket)
                .mapToDouble(CallerWaits::totalMillis)
                .sum();
        return seconds == 0 || threads == 0 ? 0 : millis / seconds / threads;
    }

    /** Returns {@code number} for 1,000 operations; 0 if there was none. */
    double perThousand(long number) {
        return operations == 0 ? 0 : 1e3 * number / operations;
    }

    /**
     * One place where threads waited.
     *
     * @param bucket reason for the waits
     * @param reason description of the rule that matched, in a few words
     * @param kind kind of the JFR event
     * @param lockClass class of the monitor or blocker; null if a thread parked without a blocker
     * @param frame first frame outside the JDK, {@code package.Type.method}
     * @param ofCallers true for threads that call, false for the client's own
     * @param waits number of waits
     * @param totalMillis blocked time of all waits together, in milliseconds
     * @param maxMicros length of the longest wait, in microseconds
     * @param previousOwner name of the thread that most often held the monitor before, shortened and with N for
     *     numbers; null if JFR does not report an owner, as for every park
     */
    public record Site(
            WaitBucket bucket,
            String reason,
            WaitKind kind,
            @Nullable String lockClass,
            String frame,
            boolean ofCallers,
            long waits,
            double totalMillis,
            double maxMicros,
            @Nullable String previousOwner) {}
}
