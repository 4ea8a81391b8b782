// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.Waits;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reader of a recording, which sums up the waits of its load. Threading: stateless. */
final class RecordingReader {

    private static final int MOST_PLACES = 40;
    private static final Map<String, WaitKind> KINDS =
            Arrays.stream(WaitKind.values()).collect(Collectors.toMap(WaitKind::eventName, Function.identity()));

    private RecordingReader() {}

    /**
     * Reads the load in {@code recording}. A wait counts if it began in the load; a wait that lasts beyond the end of
     * the load counts up to that end.
     */
    static LockProfile read(Path recording) throws IOException {
        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        RecordedEvent load = events.stream()
                .filter(event -> event.getEventType().getName().equals(LoadEvent.NAME))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        recording + " holds no " + LoadEvent.NAME + " event: it is not a lock profile of the lab"));
        Instant start = load.getStartTime();
        Instant end = load.getEndTime();
        Map<Place, LongSummaryStatistics> nanos = new HashMap<>();
        for (RecordedEvent event : events) {
            WaitKind kind = KINDS.get(event.getEventType().getName());
            Instant began = event.getStartTime();
            if (kind != null && !began.isBefore(start) && began.isBefore(end)) {
                Instant until = event.getEndTime().isBefore(end) ? event.getEndTime() : end;
                nanos.computeIfAbsent(Place.of(event, kind), place -> new LongSummaryStatistics())
                        .accept(Duration.between(began, until).toNanos());
            }
        }
        List<Waits> waits = new ArrayList<>();
        for (WaitBucket bucket : WaitBucket.values()) {
            for (boolean ofCallers : List.of(true, false)) {
                LongSummaryStatistics sum = new LongSummaryStatistics();
                nanos.forEach((place, each) -> {
                    if (place.bucket == bucket && place.ofCallers == ofCallers) {
                        sum.combine(each);
                    }
                });
                waits.add(new Place(bucket, "", "", ofCallers).waits(sum));
            }
        }
        nanos.entrySet().stream()
                .filter(place -> place.getKey().bucket != WaitBucket.IDLE)
                .map(place -> place.getKey().waits(place.getValue()))
                .sorted(Comparator.comparingDouble(Waits::totalMillis).reversed())
                .limit(MOST_PLACES)
                .forEach(waits::add);
        return new LockProfile(
                load.getString("contender"),
                load.getInt("threads"),
                Duration.between(start, end).toNanos() / 1e9,
                load.getLong("operations"),
                load.getLong("errors"),
                waits,
                events.stream().anyMatch(event -> event.getEventType().getName().equals("jdk.DataLoss")));
    }

    private record Place(WaitBucket bucket, String lockClass, String frame, boolean ofCallers) {

        static Place of(RecordedEvent event, WaitKind kind) {
            RecordedClass lock = event.getClass(kind.classField());
            Wait wait = new Wait(kind, lock == null ? null : lock.getName(), frames(event.getStackTrace()));
            RecordedThread thread = event.getThread();
            String name = thread == null ? null : thread.getJavaName();
            boolean ofCaller = name != null && name.startsWith(LoadEvent.CALLER);
            String lockClass = Objects.requireNonNullElse(wait.lockClass(), "");
            return new Place(WaitClassifier.classify(wait).bucket(), lockClass, wait.site(), ofCaller);
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
}
