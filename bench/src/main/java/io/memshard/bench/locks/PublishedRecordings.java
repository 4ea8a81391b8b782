// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.StackChart;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import io.memshard.bench.table.MarkdownTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Recordings that a page publishes, compressed by gzip, with the figures that JDK Mission Control shows for them.
 * Threading: immutable. Failure: {@link UncheckedIOException}.
 */
public record PublishedRecordings(List<Content> contents) {

    /**
     * A recording: its profile by our rules, and its blocking events by class, as JDK Mission Control groups them.
     * Threading: immutable.
     */
    public record Content(LockProfile profile, List<Group> groups) {}

    /** Events of one type with the same class of blocker or monitor. Threading: immutable. */
    public record Group(String contender, String type, String blocker, long count, double totalMillis) {}

    /** Reads the recordings. */
    public static PublishedRecordings read(List<Path> recordings) {
        return new PublishedRecordings(
                recordings.stream().map(PublishedRecordings::content).toList());
    }

    private static Content content(Path recording) {
        try {
            Path unpacked = Files.createTempFile("recording", ".jfr");
            try {
                try (InputStream packed = new GZIPInputStream(Files.newInputStream(recording))) {
                    Files.copy(packed, unpacked, StandardCopyOption.REPLACE_EXISTING);
                }
                List<RecordedEvent> events = RecordingFile.readAllEvents(unpacked);
                LockProfile profile =
                        RecordingReader.read(events, unpacked, List.of()).profile();
                return new Content(profile, groups(profile.contender(), events));
            } finally {
                Files.delete(unpacked);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + recording + ": " + e.getMessage(), e);
        }
    }

    private static List<Group> groups(String contender, List<RecordedEvent> events) {
        List<Group> groups = new ArrayList<>();
        for (WaitKind kind : List.of(WaitKind.PARK, WaitKind.MONITOR_ENTER)) {
            events.stream()
                    .filter(event -> event.getEventType().getName().equals(kind.eventName()))
                    .collect(Collectors.groupingBy(
                            event -> blocker(event, kind),
                            LinkedHashMap::new,
                            Collectors.summarizingDouble(
                                    event -> event.getDuration().toNanos() / 1e6)))
                    .forEach((blocker, millis) -> groups.add(
                            new Group(contender, kind.eventName(), blocker, millis.getCount(), millis.getSum())));
        }
        groups.sort(Comparator.comparingDouble(Group::totalMillis).reversed());
        return List.copyOf(groups);
    }

    private static String blocker(RecordedEvent event, WaitKind kind) {
        RecordedClass blocker = event.getClass(kind.classField());
        return blocker == null ? "(none)" : blocker.getName();
    }

    /** Draws the time that callers wait for one another, and the time that they wait for replies. */
    public Picture picture() {
        List<StackChart.Bar> bars = contents.stream()
                .map(Content::profile)
                .map(profile -> new StackChart.Bar(
                        profile.contender() + ", " + profile.threads() + " callers",
                        millis(profile, WaitBucket.LOCK) + millis(profile, WaitBucket.POOL_EXHAUSTED),
                        millis(profile, WaitBucket.REPLY),
                        String.format(
                                Locale.ROOT,
                                "lock %.0f ms, pool %.0f ms",
                                millis(profile, WaitBucket.LOCK),
                                millis(profile, WaitBucket.POOL_EXHAUSTED))))
                .toList();
        String finding = bars.stream()
                .map(bar -> String.format(
                        Locale.ROOT,
                        "%s: %.0f ms for one another, %.0f ms for the reply",
                        bar.label(),
                        bar.first(),
                        bar.second()))
                .collect(Collectors.joining("; ", "Of each second a caller waits, as recorded: ", "."));
        return StackChart.draw(
                new Frame("What callers wait for, as recorded", finding, "milliseconds of each caller's second"),
                "for a lock or a client of the pool",
                "for the reply",
                bars);
    }

    private static double millis(LockProfile profile, WaitBucket bucket) {
        return profile.bucket(bucket).blockedMillisPerSecond();
    }

    /** Returns a Markdown table with the {@code ofEach} longest groups of each recording. */
    public String table(int ofEach) {
        return new MarkdownTable<Group>("--:")
                .text("recording", Group::contender)
                .text("event type", Group::type)
                .text("class", group -> "`" + group.blocker() + "`")
                .number("count", "%,.0f", group -> (double) group.count())
                .number("total ms", "%,.0f", Group::totalMillis)
                .of(contents.stream()
                        .flatMap(content -> content.groups().stream().limit(ofEach))
                        .toList());
    }
}
