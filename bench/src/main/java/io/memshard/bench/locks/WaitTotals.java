// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.Bucket;
import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.ProfiledLoad.CallerWaits;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import io.memshard.bench.locks.WaitClassifier.WaitRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Totals of the waits of one load window, by bucket and by place.
 *
 * <p>Threading: confined to the thread that reads the recording.
 */
final class WaitTotals {

    private static final int SITES = 40;

    private final Map<WaitBucket, Sum> buckets = new EnumMap<>(WaitBucket.class);
    private final Map<WaitBucket, Sum> bucketsOfCallers = new EnumMap<>(WaitBucket.class);
    private final Map<SiteKey, Sum> sites = new HashMap<>();

    private record SiteKey(
            WaitRule rule, WaitKind kind, @Nullable String lockClass, String frame, boolean ofCallers) {}

    private static final class Sum {
        private final Histogram nanos = new Histogram(2);
        private final Map<String, Integer> owners = new HashMap<>();
        private long total;

        Sum() {
            nanos.setAutoResize(true);
        }

        void add(long waitedNanos, @Nullable String owner) {
            nanos.recordValue(waitedNanos);
            total += waitedNanos;
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
        buckets.computeIfAbsent(rule.bucket(), bucket -> new Sum()).add(nanos, null);
        if (ofCaller) {
            bucketsOfCallers.computeIfAbsent(rule.bucket(), bucket -> new Sum()).add(nanos, null);
        }
        if (rule.bucket() != WaitBucket.IDLE) {
            SiteKey key = new SiteKey(rule, wait.kind(), wait.lockClass(), wait.site(), ofCaller);
            sites.computeIfAbsent(key, site -> new Sum()).add(nanos, owner);
        }
    }

    /** Returns the totals of each bucket, in relation to {@code operations}, {@code seconds} and {@code callers}. */
    List<Bucket> buckets(long operations, double seconds, int callers) {
        List<Bucket> result = new ArrayList<>();
        for (WaitBucket bucket : WaitBucket.values()) {
            Sum sum = buckets.getOrDefault(bucket, new Sum());
            result.add(new Bucket(
                    bucket,
                    sum.nanos.getTotalCount(),
                    perThousand(sum, operations),
                    seconds == 0 || callers == 0 ? 0 : sum.total / 1e6 / seconds / callers,
                    sum.nanos.getValueAtPercentile(50) / 1e3,
                    sum.nanos.getValueAtPercentile(99) / 1e3,
                    sum.nanos.getMaxValue() / 1e3));
        }
        return List.copyOf(result);
    }

    /** Returns two entries for each bucket: the waits of callers, and those of other threads. */
    List<CallerWaits> callerWaits() {
        List<CallerWaits> result = new ArrayList<>();
        for (WaitBucket bucket : WaitBucket.values()) {
            Sum all = buckets.getOrDefault(bucket, new Sum());
            Sum callers = bucketsOfCallers.getOrDefault(bucket, new Sum());
            long waits = callers.nanos.getTotalCount();
            result.add(new CallerWaits(bucket, true, waits, callers.total / 1e6));
            result.add(new CallerWaits(
                    bucket, false, all.nanos.getTotalCount() - waits, (all.total - callers.total) / 1e6));
        }
        return List.copyOf(result);
    }

    /** Returns the places with the longest total waits, the longest first, at most {@value #SITES}. */
    List<Site> sites(long operations) {
        return sites.entrySet().stream()
                .map(entry -> site(entry.getKey(), entry.getValue(), operations))
                .sorted(Comparator.comparingDouble(Site::totalMillis).reversed())
                .limit(SITES)
                .toList();
    }

    private static Site site(SiteKey key, Sum sum, long operations) {
        return new Site(
                key.rule().bucket(),
                key.rule().reason(),
                key.kind(),
                key.lockClass(),
                key.frame(),
                key.ofCallers(),
                sum.nanos.getTotalCount(),
                perThousand(sum, operations),
                sum.total / 1e6,
                sum.nanos.getMaxValue() / 1e3,
                sum.mostFrequentOwner());
    }

    private static double perThousand(Sum sum, long operations) {
        return operations == 0 ? 0 : sum.nanos.getTotalCount() * 1e3 / operations;
    }
}
