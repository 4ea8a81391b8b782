// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.Wait.WaitKind;
import io.memshard.bench.lab.data.WaitRow.Waits;
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

final class LockProfile {

    private static final int MOST_PLACES = 40;

    private LockProfile() {}

    static List<WaitRow> read(ForkKey key, Path recording) throws IOException {
        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        RecordedEvent load = events.stream()
                .filter(event -> isOf(event, LoadEvent.NAME))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        recording + " has no event " + LoadEvent.NAME + ", so it is not a lock profile of the lab"));
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
        double seconds = Duration.between(start, end).toNanos() / 1e9;
        boolean dataLost = events.stream().anyMatch(event -> isOf(event, "jdk.DataLoss"));
        List<WaitRow> all = new ArrayList<>();
        nanos.forEach((place, sum) ->
                all.add(new WaitRow(key, seconds, load.getLong("operations"), dataLost, place.waits(sum))));
        Stream<WaitRow> totals = all.stream()
                .filter(WaitRow::isTotal)
                .sorted(Comparator.comparing((WaitRow row) -> row.waits().bucket())
                        .thenComparing(row -> !row.waits().ofCallers()));
        Stream<WaitRow> places = all.stream()
                .filter(row -> !row.isTotal() && row.waits().bucket() != WaitBucket.IDLE)
                .sorted(WaitRow.LONGEST_FIRST)
                .limit(MOST_PLACES);
        return Stream.concat(totals, places).toList();
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
}
