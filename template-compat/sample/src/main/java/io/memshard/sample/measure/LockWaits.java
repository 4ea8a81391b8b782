// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Counter of callers' waits, from the stream of the Flight Recorder. Each completed wait is an event, regardless of its
 * length, so recording costs throughput. Events arrive about a second late.
 *
 * <p>The recorder writes no event when a virtual thread parks.
 *
 * <p>Threading: thread-safe. Events are counted on the recorder's thread.
 */
public final class LockWaits implements AutoCloseable {

    private static final String MONITOR = "jdk.JavaMonitorEnter";
    private static final String PARK = "jdk.ThreadPark";
    private static final String LOSS = "jdk.DataLoss";
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final RecordingStream stream = new RecordingStream();
    private final String threadPrefix;
    private final Instant since = Instant.now();
    private final Map<WaitBucket, LongAdder> counts = new EnumMap<>(WaitBucket.class);
    private final LongAdder losses = new LongAdder();

    private LockWaits(String threadPrefix) {
        this.threadPrefix = threadPrefix;
        for (WaitBucket bucket : WaitBucket.values()) {
            counts.put(bucket, new LongAdder());
        }
    }

    /**
     * Starts to record.
     *
     * @param threadPrefix prefix of the names of the threads whose waits count
     */
    public static LockWaits record(String threadPrefix) {
        LockWaits waits = new LockWaits(threadPrefix);
        waits.start();
        return waits;
    }

    private void start() {
        stream.enable(MONITOR).withThreshold(Duration.ZERO).withoutStackTrace();
        stream.enable(PARK).withThreshold(Duration.ZERO).withStackTrace();
        stream.enable(LOSS);
        stream.setReuse(true);
        stream.setOrdered(false);
        stream.setMaxAge(KEPT);
        stream.onEvent(MONITOR, event -> count(event, entered -> WaitBucket.LOCK));
        stream.onEvent(
                PARK,
                event -> count(event, parked -> WaitBucket.ofPark(blocker(parked), frames(parked.getStackTrace()))));
        stream.onEvent(LOSS, event -> losses.increment());
        stream.startAsync();
    }

    private void count(RecordedEvent event, Function<RecordedEvent, WaitBucket> bucket) {
        if (isOfCaller(event) && !event.getStartTime().isBefore(since)) {
            counter(bucket.apply(event)).increment();
        }
    }

    private boolean isOfCaller(RecordedEvent event) {
        String name = event.getThread() == null ? null : event.getThread().getJavaName();
        return name != null && name.startsWith(threadPrefix);
    }

    private static String blocker(RecordedEvent event) {
        RecordedClass parked = event.getClass("parkedClass");
        return parked == null ? "" : parked.getName();
    }

    private static List<String> frames(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? List.of()
                : stack.getFrames().stream()
                        .map(frame -> frame.getMethod().getType().getName() + "."
                                + frame.getMethod().getName())
                        .toList();
    }

    private LongAdder counter(WaitBucket bucket) {
        return Objects.requireNonNull(counts.get(bucket), "each bucket has a counter");
    }

    /** Returns the number of waits in a bucket since the start. */
    public long count(WaitBucket bucket) {
        return counter(bucket).sum();
    }

    /** Returns whether the recorder dropped events, so that the counts are too low. */
    public boolean isIncomplete() {
        return losses.sum() > 0;
    }

    @Override
    public void close() {
        stream.close();
    }
}
