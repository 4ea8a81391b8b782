// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.ProfiledLoad.CallerWaits;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import io.memshard.bench.locks.WaitClassifier.WaitRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Totals of the waits of one load, by bucket and by place.
 *
 * <p>Threading: confined to the thread that reads the recording.
 */
final class WaitTotals {

    private static final int SITES = 40;

    private final Map<BucketKey, Sum> buckets = new HashMap<>();
    private final Map<SiteKey, Sum> sites = new HashMap<>();

    private record BucketKey(WaitBucket bucket, boolean ofCallers) {}

    private record SiteKey(
            WaitRule rule, WaitKind kind, @Nullable String lockClass, String frame, boolean ofCallers) {}

    private static final class Sum {
        private final Map<String, Integer> owners = new HashMap<>();
        private long waits;
        private long totalNanos;
        private long longestNanos;

        void add(long waitedNanos, @Nullable String owner) {
            waits++;
            totalNanos += waitedNanos;
            longestNanos = Math.max(longestNanos, waitedNanos);
            if (owner != null) {
                owners.merge(owner, 1, Integer::sum);
            }
        }

        @Nullable
        String mostFrequentOwner() {
            return owners.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .orElse(null);
        }
    }

    /**
     * Counts one wait, of a caller or of a thread of the client. {@code owner} is the thread that held the monitor
     * before; null if unknown.
     */
    void add(Wait wait, WaitRule rule, boolean ofCaller, long waitedNanos, @Nullable String owner) {
        long nanos = Math.max(0, waitedNanos);
        buckets.computeIfAbsent(new BucketKey(rule.bucket(), ofCaller), bucket -> new Sum())
                .add(nanos, null);
        if (rule.bucket() != WaitBucket.IDLE) {
            SiteKey key = new SiteKey(rule, wait.kind(), wait.lockClass(), wait.site(), ofCaller);
            sites.computeIfAbsent(key, site -> new Sum()).add(nanos, owner);
        }
    }

    /** Returns two entries for each bucket: the waits of callers, and those of other threads. */
    List<CallerWaits> callerWaits() {
        List<CallerWaits> result = new ArrayList<>();
        for (WaitBucket bucket : WaitBucket.values()) {
            for (boolean ofCallers : List.of(true, false)) {
                Sum sum = buckets.getOrDefault(new BucketKey(bucket, ofCallers), new Sum());
                result.add(new CallerWaits(bucket, ofCallers, sum.waits, sum.totalNanos / 1e6));
            }
        }
        return List.copyOf(result);
    }

    /** Returns the places with the longest total waits, the longest first, at most {@value #SITES}. */
    List<Site> sites() {
        return sites.entrySet().stream()
                .map(entry -> site(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingDouble(Site::totalMillis).reversed())
                .limit(SITES)
                .toList();
    }

    private static Site site(SiteKey key, Sum sum) {
        return new Site(
                key.rule().bucket(),
                key.rule().reason(),
                key.kind(),
                key.lockClass(),
                key.frame(),
                key.ofCallers(),
                sum.waits,
                sum.totalNanos / 1e6,
                sum.longestNanos / 1e3,
                sum.mostFrequentOwner());
    }
}
