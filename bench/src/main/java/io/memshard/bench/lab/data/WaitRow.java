// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.CsvRow;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Row of {@code waits.csv}. If {@code dataLost} is true, JFR dropped events, so the counts are too low. */
public record WaitRow(ForkKey key, double seconds, long cycles, boolean dataLost, Waits waits) {

    public static final String FILE = "waits.csv";
    public static final Comparator<WaitRow> LONGEST_FIRST =
            Comparator.comparingDouble((WaitRow row) -> row.waits.totalMillis()).reversed();
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

    public static Path recording(Path folder, ForkKey key) {
        return folder.resolve("locks-" + key.experiment() + "-" + key.profile().label() + "-" + key.arm() + "-"
                + key.condition().label().replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
    }

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

    public static void write(Path file, List<WaitRow> rows) {
        Csv.writeEach(file, COLUMNS, rows);
    }

    private static Stream<WaitRow> rows(ForkKey key, Path recording, List<WaitRow> old) {
        if (!Files.exists(recording)) {
            return old.stream().filter(row -> row.key.equals(key));
        }
        try {
            return LockProfile.read(key, recording).stream();
        } catch (IOException e) {
            throw TextFile.failure("read", recording, e);
        }
    }

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

    public static boolean isMetric(String metric) {
        return metric.startsWith(METRIC);
    }

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

    public boolean isTotal() {
        return waits.frame().isEmpty();
    }

    public boolean isOf(WaitBucket bucket, boolean ofCallers) {
        return waits.bucket() == bucket && waits.ofCallers() == ofCallers;
    }

    public double waitsPerThousand() {
        return cycles == 0 ? 0 : 1e3 * waits.number() / cycles;
    }

    public double millisPerSecond() {
        return waits.totalMillis()
                / seconds
                / (waits.ofCallers() ? key.condition().threads() : 1);
    }

    /** Waits of a bucket at one {@link Wait#site}, or all waits of the bucket if {@code frame} is empty. */
    public record Waits(
            WaitBucket bucket, boolean ofCallers, String lockClass, String frame, long number, double totalMillis) {}
}
