// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits of the threads of one contender with one number of callers. Threading: immutable.
 *
 * @param contender name as on the command line
 * @param connections sockets that the contender was asked to use
 * @param threads number of blocking callers
 * @param seconds length of the load window
 * @param operations calls in the window that returned the right value; not a measure of throughput, because every wait
 *     also wrote an event
 * @param errors calls in the window that failed
 * @param buckets one entry for each {@link WaitBucket}, in its order
 * @param sites places with the longest total waits, the longest first; without {@code IDLE} waits
 * @param pinned waits in which a virtual thread held its carrier
 * @param dataLost true if JFR dropped events, so that the counts are too low
 * @param verdicts verdicts of the rules of JMC on the same recording
 * @param recording name of the recording, in the same folder
 */
public record LockProfile(
        String contender,
        int connections,
        int threads,
        double seconds,
        long operations,
        long errors,
        List<Bucket> buckets,
        List<Site> sites,
        long pinned,
        boolean dataLost,
        List<JmcVerdict> verdicts,
        String recording) {

    /** Returns the totals of one bucket; all zero if it has no waits. */
    public Bucket bucket(WaitBucket which) {
        return buckets.stream()
                .filter(bucket -> bucket.bucket() == which)
                .findFirst()
                .orElse(new Bucket(which, 0, 0, 0, 0, 0, 0));
    }

    /**
     * All waits of one bucket, of callers and of the client's own threads together.
     *
     * @param bucket reason for the waits
     * @param waits number of waits that began in the window
     * @param waitsPerThousand waits for 1,000 operations
     * @param blockedMillisPerSecond blocked time in milliseconds for each second and each caller; above 1,000 only if
     *     threads of the client wait in addition to the callers
     * @param p50Micros median length of a wait, in microseconds
     * @param p99Micros 99th percentile of the length of a wait, in microseconds
     * @param maxMicros length of the longest wait, in microseconds
     */
    public record Bucket(
            WaitBucket bucket,
            long waits,
            double waitsPerThousand,
            double blockedMillisPerSecond,
            double p50Micros,
            double p99Micros,
            double maxMicros) {}

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
     * @param waitsPerThousand waits for 1,000 operations
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
            double waitsPerThousand,
            double totalMillis,
            double maxMicros,
            @Nullable String previousOwner) {}

    /**
     * Verdict of one rule of JDK Mission Control on the recording.
     *
     * @param rule name of the rule
     * @param severity {@code OK}, {@code INFO}, {@code WARNING}, or {@code NA} if the rule could not judge
     * @param score score from 0 (no problem) to 100; negative if the rule gives none
     * @param text finding of the rule
     */
    public record JmcVerdict(String rule, String severity, double score, String text) {}
}
