// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waits of the threads of one contender at one number of callers. Threading: immutable.
 *
 * @param contender name as on the command line
 * @param connections sockets that the contender was asked to use
 * @param threads blocking callers
 * @param seconds length of the load window
 * @param operations calls in the window that returned the right value; not a throughput, because every
 *     wait also wrote an event
 * @param errors calls in the window that failed
 * @param buckets one entry for each {@link WaitBucket}, in its order
 * @param sites where the waits of most total time were, the longest first; {@code IDLE} left out
 * @param pinned waits in which a virtual thread held its carrier
 * @param dataLost true if JFR dropped events, so that the counts are too low
 * @param verdicts of the rules of JMC on the same recording
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

    /** Returns the totals of one bucket; all zero if nothing waited there. */
    public Bucket bucket(WaitBucket which) {
        return buckets.stream()
                .filter(bucket -> bucket.bucket() == which)
                .findFirst()
                .orElse(new Bucket(which, 0, 0, 0, 0, 0, 0));
    }

    /**
     * All waits of one bucket, of callers and of the client's own threads together.
     *
     * @param bucket why they waited
     * @param waits number of waits that began in the window
     * @param waitsPerThousand waits for 1,000 operations
     * @param blockedMillisPerSecond blocked time in milliseconds for each second and each caller; above
     *     1,000 only where threads of the client wait besides the callers
     * @param p50Micros half of the waits took at most this long
     * @param p99Micros 99 of 100 waits
     * @param maxMicros the longest wait
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
     * @param bucket why they waited
     * @param reason the rule that said so, in a few words
     * @param kind the event
     * @param lockClass class of the monitor or blocker; null if a thread parked for none
     * @param frame first frame outside the JDK, {@code package.Type.method}
     * @param ofCallers true for threads that call, false for the client's own
     * @param waits number of waits
     * @param waitsPerThousand waits for 1,000 operations
     * @param totalMillis blocked time, all waits together
     * @param maxMicros the longest wait
     * @param previousOwner thread that most often held the monitor before, its name without digits and shortened;
     *     null where JFR does not report it, as for every park
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
     * @param rule its name
     * @param severity {@code OK}, {@code INFO}, {@code WARNING}, or {@code NA} where it could not judge
     * @param score 0 (nothing to see) to 100; negative where there is none
     * @param text its finding
     */
    public record JmcVerdict(String rule, String severity, double score, String text) {}
}
