// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Waits of the threads of one system with one number of callers. Threading: immutable.
 *
 * @param operations calls that returned the right value; no measure of throughput, because each wait wrote an event
 * @param errors calls that failed
 * @param waits two entries for each {@link WaitBucket}: the waits of callers, and those of other threads
 * @param sites places with the longest total waits, the longest first; without {@code IDLE} waits
 * @param dataLost true if JFR dropped events, so that the counts are too low
 */
public record LockProfile(
        String contender,
        int threads,
        double seconds,
        long operations,
        long errors,
        List<CallerWaits> waits,
        List<Site> sites,
        boolean dataLost) {

    /**
     * Returns the load in a recording with a {@link LoadEvent}, with its waits classified by the current rules.
     *
     * @throws IOException if the file cannot be read or holds no load
     */
    public static LockProfile read(Path recording) throws IOException {
        return RecordingReader.read(recording);
    }

    /** Returns the number of waits of one bucket, of callers and of other threads together, for 1,000 operations. */
    double waitsPerThousand(WaitBucket bucket) {
        return perThousand(sum(bucket, CallerWaits::waits));
    }

    /**
     * Returns the blocked time of one bucket in milliseconds for each second and each caller; above 1,000 only if other
     * threads wait in addition to the callers.
     */
    double blockedMillisPerSecond(WaitBucket bucket) {
        return seconds == 0 || threads == 0 ? 0 : sum(bucket, CallerWaits::totalMillis) / seconds / threads;
    }

    private double sum(WaitBucket bucket, ToDoubleFunction<CallerWaits> figure) {
        return waits.stream()
                .filter(sum -> sum.bucket() == bucket)
                .mapToDouble(figure)
                .sum();
    }

    double perThousand(double number) {
        return operations == 0 ? 0 : 1e3 * number / operations;
    }

    /**
     * All waits of one bucket that began in the load, of the callers or of the system's own threads. Threading:
     * immutable.
     */
    public record CallerWaits(WaitBucket bucket, boolean ofCallers, long waits, double totalMillis) {}

    /**
     * One place where threads waited.
     *
     * @param reason description of the rule that matched, in a few words
     * @param lockClass class of the monitor or blocker; null if a thread parked without a blocker
     * @param frame first frame outside the JDK, {@code package.Type.method}
     * @param ofCallers true for threads that call, false for the client's own
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
            double maxMicros) {}
}
