// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.locks.LockProfile;
import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.locks.ProfiledLoad.CallerWaits;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A row of {@code waits.csv}: waits of one lock profile, all of one kind or those at one place.
 * Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 *
 * @param experiment its name
 * @param profile size of the machine that is meant
 * @param arm its name
 * @param condition it ran under
 * @param seconds length of the recorded load
 * @param cycles that ended in it
 * @param dataLost whether the recorder dropped events
 * @param bucket why threads waited, as {@code WaitBucket} names it
 * @param ofCallers true for callers, false for the system's own threads
 * @param lockClass class of the lock, empty for all of the bucket together
 * @param frame where, empty for all of the bucket together
 * @param waits number of waits
 * @param totalMillis their time
 */
public record WaitRow(
        String experiment,
        Profile profile,
        String arm,
        Condition condition,
        double seconds,
        long cycles,
        boolean dataLost,
        String bucket,
        boolean ofCallers,
        String lockClass,
        String frame,
        long waits,
        double totalMillis) {

    /** Name of the file in a results folder. */
    public static final String FILE = "waits.csv";

    private static final String LOCK_WAITS = "lock_waits_per_cycle";
    private static final String LOCK_MICROS = "lock_us_per_cycle";

    /** Metrics of callers in a lock profile: how often a cycle waits for a lock, and for how long. */
    public static final Set<String> METRICS = Set.of(LOCK_WAITS, LOCK_MICROS);

    private static final List<CsvField<WaitRow>> COLUMNS = List.of(
            new CsvField<>("experiment", WaitRow::experiment),
            new CsvField<>("profile", WaitRow::profile),
            new CsvField<>("arm", WaitRow::arm),
            new CsvField<>("condition", row -> row.condition().label()),
            new CsvField<>("seconds", row -> String.format(Locale.ROOT, "%.3f", row.seconds())),
            new CsvField<>("cycles", WaitRow::cycles),
            new CsvField<>("data_lost", WaitRow::dataLost),
            new CsvField<>("bucket", WaitRow::bucket),
            new CsvField<>("of_callers", WaitRow::ofCallers),
            new CsvField<>("lock_class", WaitRow::lockClass),
            new CsvField<>("frame", WaitRow::frame),
            new CsvField<>("waits", WaitRow::waits),
            new CsvField<>("total_ms", row -> String.format(Locale.ROOT, "%.3f", row.totalMillis())));

    /** Returns where the recording of the fork with {@code key} is. */
    public static Path recording(Path folder, ForkKey key) {
        return folder.resolve("locks-" + key.experiment() + "-" + key.profile().label() + "-" + key.arm() + "-"
                + key.condition().label().replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
    }

    /**
     * Writes {@code waits.csv} from the recordings, by the current rules for waits. Rows whose recording is not in the
     * folder stay unchanged.
     */
    public static void write(Path folder) {
        Path waits = folder.resolve(FILE);
        Path forks = folder.resolve(ForkFile.NAME);
        if (!Csv.isThere(forks)) {
            return;
        }
        List<WaitRow> old = Csv.isThere(waits) ? read(waits) : List.of();
        List<WaitRow> rows = ForkFile.read(forks).stream()
                .filter(fork -> fork.key().profiled() && fork.isThere())
                .flatMap(fork -> rows(fork.key(), recording(folder, fork.key()), old))
                .toList();
        if (!rows.isEmpty()) {
            write(waits, rows);
        }
    }

    /** Writes {@code rows} to {@code file}. */
    public static void write(Path file, List<WaitRow> rows) {
        Csv.writeEach(file, COLUMNS, rows);
    }

    private static Stream<WaitRow> rows(ForkKey key, Path recording, List<WaitRow> old) {
        if (!Files.exists(recording)) {
            return old.stream().filter(row -> row.isOf(key));
        }
        try {
            return of(key, ProfiledLoad.read(recording));
        } catch (IOException e) {
            throw TextFile.failure("read", recording, e);
        }
    }

    private static Stream<WaitRow> of(ForkKey key, ProfiledLoad load) {
        return Stream.concat(
                load.waits().stream().map(waits -> of(key, load.profile(), waits, "", "")),
                load.profile().sites().stream()
                        .map(site -> of(
                                key,
                                load.profile(),
                                new CallerWaits(site.bucket(), site.ofCallers(), site.waits(), site.totalMillis()),
                                Objects.requireNonNullElse(site.lockClass(), ""),
                                site.frame())));
    }

    private static WaitRow of(ForkKey key, LockProfile profile, CallerWaits waits, String lockClass, String frame) {
        return new WaitRow(
                key.experiment(),
                key.profile(),
                key.arm(),
                key.condition(),
                profile.seconds(),
                profile.operations(),
                profile.dataLost(),
                waits.bucket().name().toLowerCase(Locale.ROOT),
                waits.ofCallers(),
                lockClass,
                frame,
                waits.waits(),
                waits.totalMillis());
    }

    /** Reads every row of {@code file}, in its order. */
    public static List<WaitRow> read(Path file) {
        return Csv.read(file).stream()
                .map(row -> new WaitRow(
                        row.text("experiment"),
                        row.constant("profile", Profile.class),
                        row.text("arm"),
                        Condition.parse(row.text("condition")),
                        row.decimal("seconds"),
                        row.number("cycles"),
                        Boolean.parseBoolean(row.text("data_lost")),
                        row.text("bucket"),
                        Boolean.parseBoolean(row.text("of_callers")),
                        row.text("lock_class"),
                        row.text("frame"),
                        row.number("waits"),
                        row.decimal("total_ms")))
                .toList();
    }

    /** Returns {@link #METRICS} of each profile as the figures of a fork. */
    public static List<ForkResult> forks(List<WaitRow> rows) {
        return rows.stream()
                .filter(row -> row.isTotal() && row.ofCallers() && row.bucket().equals("lock") && row.cycles() > 0)
                .map(row -> new ForkResult(
                        new ForkKey(row.experiment(), row.profile(), 1, row.arm(), row.condition(), false),
                        1,
                        1,
                        "",
                        Map.of(),
                        new TreeMap<>(Map.of(
                                LOCK_WAITS,
                                (double) row.waits() / row.cycles(),
                                LOCK_MICROS,
                                1e3 * row.totalMillis() / row.cycles())),
                        List.of()))
                .toList();
    }

    /** Returns whether this row stands for all waits of its bucket. */
    public boolean isTotal() {
        return frame.isEmpty();
    }

    private boolean isOf(ForkKey key) {
        return experiment.equals(key.experiment())
                && profile == key.profile()
                && arm.equals(key.arm())
                && condition.equals(key.condition());
    }

    /** Returns the waits for 1,000 cycles. */
    public double waitsPerThousand() {
        return cycles == 0 ? 0 : 1e3 * waits / cycles;
    }

    /** Returns the milliseconds waited in a second by each caller, or by all threads of the system together. */
    public double millisPerSecond() {
        return totalMillis / seconds / (ofCallers ? condition.threads() : 1);
    }
}
