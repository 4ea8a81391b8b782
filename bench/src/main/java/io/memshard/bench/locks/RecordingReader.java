// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.Wait.WaitKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reader of a recording, which counts the waits of its load. Threading: stateless. */
final class RecordingReader {

    /** Part of the names of the threads that call, which JMH gives. */
    static final String CALLER = "-jmh-worker-";

    private static final int LONGEST_ROLE = 24;
    private static final Map<String, WaitKind> KINDS =
            Arrays.stream(WaitKind.values()).collect(Collectors.toMap(WaitKind::eventName, Function.identity()));

    private RecordingReader() {}

    /**
     * Reads the load in {@code recording}. A wait counts if it began in the load; a wait that lasts beyond the end of
     * the load counts up to that end.
     *
     * @throws IOException if the file cannot be read or holds no load
     */
    static ProfiledLoad read(Path recording) throws IOException {
        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        RecordedEvent load = events.stream()
                .filter(event -> event.getEventType().getName().equals(LoadEvent.NAME))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        recording + " holds no " + LoadEvent.NAME + " event: not a lock profile of ours"));
        Instant start = load.getStartTime();
        Instant end = load.getEndTime();
        WaitTotals totals = new WaitTotals();
        boolean dataLost = false;
        for (RecordedEvent event : events) {
            String type = event.getEventType().getName();
            WaitKind kind = KINDS.get(type);
            if (type.equals("jdk.DataLoss")) {
                dataLost = true;
            } else if (kind != null
                    && !event.getStartTime().isBefore(start)
                    && event.getStartTime().isBefore(end)) {
                count(event, kind, end, totals);
            }
        }
        LockProfile profile = new LockProfile(
                load.getString("contender"),
                load.getInt("connections"),
                load.getInt("threads"),
                Duration.between(start, end).toNanos() / 1e9,
                load.getLong("operations"),
                load.getLong("errors"),
                totals.callerWaits(),
                totals.sites(),
                dataLost);
        return new ProfiledLoad(profile, profile.waits());
    }

    private static void count(RecordedEvent event, WaitKind kind, Instant windowEnd, WaitTotals totals) {
        RecordedClass lockClass = event.getClass(kind.classField());
        Wait wait = new Wait(kind, lockClass == null ? null : lockClass.getName(), frames(event.getStackTrace()));
        Duration beyond = Duration.between(windowEnd, event.getEndTime());
        Duration waited =
                beyond.isNegative() ? event.getDuration() : event.getDuration().minus(beyond);
        RecordedThread thread = event.getThread();
        String owner = kind == WaitKind.MONITOR_ENTER ? role(name(event.getThread("previousOwner"))) : null;
        String name = name(thread);
        boolean ofCaller = name != null && name.contains(CALLER);
        totals.add(wait, WaitClassifier.classify(wait), ofCaller, waited.toNanos(), owner);
    }

    private static List<String> frames(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? List.of()
                : stack.getFrames().stream()
                        .map(RecordedFrame::getMethod)
                        .map(method -> method.getType().getName() + "." + method.getName())
                        .toList();
    }

    private static @Nullable String name(@Nullable RecordedThread thread) {
        if (thread == null) {
            return null;
        }
        return thread.getJavaName() != null ? thread.getJavaName() : thread.getOSName();
    }

    /** Returns the role of a thread: {@code caller}, or its name with N for each number, shortened. */
    private static @Nullable String role(@Nullable String threadName) {
        if (threadName == null || threadName.contains(CALLER)) {
            return threadName == null ? null : "caller";
        }
        String role = threadName.replaceAll("[0-9]+", "N");
        return role.length() <= LONGEST_ROLE ? role : role.substring(0, LONGEST_ROLE) + "...";
    }
}
