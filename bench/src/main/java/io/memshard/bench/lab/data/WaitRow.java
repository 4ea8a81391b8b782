// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.LockProfile.Waits;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Row of {@code waits.csv}: the waits in one lock profile, either all of one kind or those at one place in the code.
 * Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 *
 * @param key fork whose locks were recorded
 * @param seconds length of the recorded load
 * @param cycles number of cycles that ended under that load
 * @param dataLost whether the recorder dropped events
 * @param waits kind, place, number and total time of the waits
 */
public record WaitRow(ForkKey key, double seconds, long cycles, boolean dataLost, Waits waits) {

    /** Name of the file in a results folder. */
    public static final String FILE = "waits.csv";

    private static final String METRIC = "lock_";

    private static final List<CsvField<WaitRow>> COLUMNS = List.of(
            new CsvField<>("experiment", row -> row.key.experiment()),
            new CsvField<>("profile", row -> row.key.profile()),
            new CsvField<>("arm", row -> row.key.arm()),
            new CsvField<>("condition", row -> row.key.condition().label()),
            new CsvField<>("seconds", row -> String.format(Locale.ROOT, "%.3f", row.seconds)),
            new CsvField<>("cycles", WaitRow::cycles),
            new CsvField<>("data_lost", WaitRow::dataLost),
            new CsvField<>("bucket", row -> row.waits.bucket()),
            new CsvField<>("of_callers", row -> row.waits.ofCallers()),
            new CsvField<>("lock_class", row -> row.waits.lockClass()),
            new CsvField<>("frame", row -> row.waits.frame()),
            new CsvField<>("waits", row -> row.waits.number()),
            new CsvField<>("total_ms", row -> String.format(Locale.ROOT, "%.3f", row.waits.totalMillis())));

    /** Returns the path of the recording of the fork with {@code key}. */
    public static Path recording(Path folder, ForkKey key) {
        return folder.resolve("locks-" + key.experiment() + "-" + key.profile().label() + "-" + key.arm() + "-"
                + key.condition().label().replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
    }

    /**
     * Writes {@code waits.csv} from the recordings, by the current rules for waits. A row whose recording is not in the
     * folder stays unchanged. Without any recording, the file stays unchanged.
     */
    public static void write(Path folder) {
        Path waits = folder.resolve(FILE);
        Path forks = folder.resolve(ForkFile.NAME);
        List<ForkResult> profiled = (Csv.isThere(forks) ? ForkFile.read(forks) : List.<ForkResult>of())
                .stream()
                        .filter(fork -> fork.key().profiled() && fork.isThere())
                        .toList();
        if (profiled.stream().anyMatch(fork -> Files.exists(recording(folder, fork.key())))) {
            List<WaitRow> old = Csv.isThere(waits) ? read(waits) : List.of();
            write(
                    waits,
                    profiled.stream()
                            .flatMap(fork -> rows(fork.key(), recording(folder, fork.key()), old))
                            .toList());
        }
    }

    /** Writes {@code rows} to {@code file}. */
    public static void write(Path file, List<WaitRow> rows) {
        Csv.writeEach(file, COLUMNS, rows);
    }

    private static Stream<WaitRow> rows(ForkKey key, Path recording, List<WaitRow> old) {
        if (!Files.exists(recording)) {
            return old.stream().filter(row -> row.key.equals(key));
        }
        try {
            return of(key, LockProfile.read(recording));
        } catch (IOException e) {
            throw TextFile.failure("read", recording, e);
        }
    }

    private static Stream<WaitRow> of(ForkKey key, LockProfile load) {
        return load.waits().stream()
                .map(waits -> new WaitRow(key, load.seconds(), load.operations(), load.dataLost(), waits));
    }

    /** Reads every row of {@code file}, in its order. */
    public static List<WaitRow> read(Path file) {
        return Csv.read(file).stream().map(WaitRow::of).toList();
    }

    private static WaitRow of(CsvRow row) {
        return new WaitRow(
                ForkFile.key(row, 1, true),
                row.of("seconds", Double::valueOf),
                row.of("cycles", Long::valueOf),
                Boolean.parseBoolean(row.text("data_lost")),
                new Waits(
                        row.constant("bucket", WaitBucket.class),
                        Boolean.parseBoolean(row.text("of_callers")),
                        row.text("lock_class"),
                        row.text("frame"),
                        row.of("waits", Long::valueOf),
                        row.of("total_ms", Double::valueOf)));
    }

    /** Returns whether {@link #forks} computes {@code metric}. */
    public static boolean isMetric(String metric) {
        return metric.startsWith(METRIC);
    }

    /**
     * Returns, for each lock profile, metrics of its callers in the form of a fork's figures: the number and the
     * duration of waits for locks per cycle. For each method with such waits, further metrics are the same two figures,
     * and the method's share of the callers' blocked time.
     */
    public static List<ForkResult> forks(List<WaitRow> rows) {
        Map<ForkKey, List<WaitRow>> profiles = rows.stream()
                .filter(row -> row.cycles > 0
                        && (row.isOf(WaitBucket.LOCK, true) || row.isOf(WaitBucket.POOL_EXHAUSTED, true)))
                .collect(Collectors.groupingBy(WaitRow::key, LinkedHashMap::new, Collectors.toList()));
        return profiles.entrySet().stream()
                .map(profile -> fork(profile.getKey(), profile.getValue()))
                .toList();
    }

    private static ForkResult fork(ForkKey key, List<WaitRow> rows) {
        double blocked = rows.stream()
                .filter(WaitRow::isTotal)
                .mapToDouble(row -> row.waits.totalMillis())
                .sum();
        Map<String, Double> figures = new HashMap<>();
        for (WaitRow row : rows) {
            if (row.isOf(WaitBucket.LOCK, true)) {
                String place = row.isTotal()
                        ? "per_cycle"
                        : "at_" + row.waits.frame().substring(row.waits.frame().lastIndexOf('.') + 1);
                figures.merge("lock_waits_" + place, (double) row.waits.number() / row.cycles, Double::sum);
                figures.merge("lock_us_" + place, 1e3 * row.waits.totalMillis() / row.cycles, Double::sum);
                figures.merge("lock_share_" + place, row.waits.totalMillis() / blocked, Double::sum);
            }
        }
        ForkKey timed = new ForkKey(key.experiment(), key.profile(), 1, key.arm(), key.condition(), false);
        return ForkResult.of(timed, Map.of(), figures, List.of());
    }

    /** Returns whether this row stands for all waits of its bucket. */
    public boolean isTotal() {
        return waits.isTotal();
    }

    /**
     * Returns whether the waits are of {@code bucket}, and of callers (true) or of the system's own threads (false).
     */
    public boolean isOf(WaitBucket bucket, boolean ofCallers) {
        return waits.bucket() == bucket && waits.ofCallers() == ofCallers;
    }

    /** Returns the number of waits per 1,000 cycles. */
    public double waitsPerThousand() {
        return cycles == 0 ? 0 : 1e3 * waits.number() / cycles;
    }

    /** Returns the milliseconds that each caller, or all threads of the system together, waited per second. */
    public double millisPerSecond() {
        return waits.totalMillis()
                / seconds
                / (waits.ofCallers() ? key.condition().threads() : 1);
    }
}
