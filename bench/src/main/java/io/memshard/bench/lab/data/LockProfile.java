// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.Wait.WaitKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Waits of one system with one number of callers, read from a recording.
 *
 * @param operations calls with the right value; no measure of throughput, because each wait wrote an event
 * @param waits totals of callers and of other threads by {@link WaitBucket}, then the places with the longest waits
 * @param dataLost true if JFR dropped events, and the counts are therefore too low
 */
public record LockProfile(double seconds, long operations, List<Waits> waits, boolean dataLost) {

    private static final int MOST_PLACES = 40;

    /** Reads a recording with a {@link LoadEvent}. A wait counts if it began in the load, up to the load's end. */
    public static LockProfile read(Path recording) throws IOException {
        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        RecordedEvent load = events.stream()
                .filter(event -> isOf(event, LoadEvent.NAME))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        recording + " holds no " + LoadEvent.NAME + " event: it is not a lock profile of the lab"));
        Instant start = load.getStartTime();
        Instant end = load.getEndTime();
        Map<Place, LongSummaryStatistics> nanos = new HashMap<>();
        for (WaitBucket bucket : WaitBucket.values()) {
            nanos.put(new Place(bucket, true, "", ""), new LongSummaryStatistics());
            nanos.put(new Place(bucket, false, "", ""), new LongSummaryStatistics());
        }
        for (RecordedEvent event : events) {
            for (WaitKind kind : WaitKind.values()) {
                Instant began = event.getStartTime();
                if (isOf(event, kind.eventName) && !began.isBefore(start) && began.isBefore(end)) {
                    Instant until = event.getEndTime().isBefore(end) ? event.getEndTime() : end;
                    long waited = Duration.between(began, until).toNanos();
                    Place place = Place.of(event, kind);
                    for (Place each : List.of(place, new Place(place.bucket, place.ofCallers, "", ""))) {
                        nanos.computeIfAbsent(each, unused -> new LongSummaryStatistics())
                                .accept(waited);
                    }
                }
            }
        }
        List<Waits> all = new ArrayList<>();
        nanos.forEach((place, sum) -> all.add(place.waits(sum)));
        Stream<Waits> totals = all.stream()
                .filter(Waits::isTotal)
                .sorted(Comparator.comparing(Waits::bucket).thenComparing(waits -> !waits.ofCallers()));
        Stream<Waits> places = all.stream()
                .filter(waits -> !waits.isTotal() && waits.bucket() != WaitBucket.IDLE)
                .sorted(Comparator.comparingDouble(Waits::totalMillis).reversed())
                .limit(MOST_PLACES);
        return new LockProfile(
                Duration.between(start, end).toNanos() / 1e9,
                load.getLong("operations"),
                Stream.concat(totals, places).toList(),
                events.stream().anyMatch(event -> isOf(event, "jdk.DataLoss")));
    }

    private static boolean isOf(RecordedEvent event, String type) {
        return event.getEventType().getName().equals(type);
    }

    private record Place(WaitBucket bucket, boolean ofCallers, String lockClass, String frame) {

        static Place of(RecordedEvent event, WaitKind kind) {
            RecordedClass lock = event.getClass(kind == WaitKind.PARK ? "parkedClass" : "monitorClass");
            Wait wait = new Wait(kind, lock == null ? null : lock.getName(), frames(event.getStackTrace()));
            RecordedThread thread = event.getThread();
            String name = thread == null ? null : thread.getJavaName();
            boolean ofCaller = name != null && name.startsWith(LoadEvent.CALLER);
            String lockClass = Objects.requireNonNullElse(wait.lockClass(), "");
            return new Place(WaitClassifier.classify(wait).bucket(), ofCaller, lockClass, wait.site());
        }

        private static List<String> frames(@Nullable RecordedStackTrace stack) {
            return stack == null
                    ? List.of()
                    : stack.getFrames().stream()
                            .map(RecordedFrame::getMethod)
                            .map(method -> method.getType().getName() + "." + method.getName())
                            .toList();
        }

        Waits waits(LongSummaryStatistics nanos) {
            return new Waits(bucket, ofCallers, lockClass, frame, nanos.getCount(), nanos.getSum() / 1e6);
        }
    }

    /**
     * Waits of one bucket. The {@code lockClass} is empty if a thread parked without a blocker. The {@code frame} is
     * that of {@link Wait#site}. Both are empty for the total of the bucket.
     */
    public record Waits(
            WaitBucket bucket, boolean ofCallers, String lockClass, String frame, long number, double totalMillis) {

        public boolean isTotal() {
            return frame.isEmpty();
        }
    }
}
