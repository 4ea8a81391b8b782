// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Csv.CsvField;
import io.memshard.bench.result.CsvRow;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** File {@code forks.csv}, to which each JVM that measures (fork) appends its row. */
public final class ForkFile {

    public static final String NAME = "forks.csv";

    private static final List<CsvField<ForkResult>> IDENTITY = List.of(
            new CsvField<>("experiment", fork -> fork.key().experiment()),
            new CsvField<>("profile", fork -> fork.key().profile()),
            new CsvField<>("block", fork -> fork.key().block()),
            new CsvField<>("attempt", ForkResult::attempt),
            new CsvField<>("arm", fork -> fork.key().arm()),
            new CsvField<>("condition", fork -> fork.key().condition().label()),
            new CsvField<>("profiled", fork -> fork.key().profiled()),
            new CsvField<>("failure", ForkResult::failure),
            new CsvField<>("figures", ForkFile::figures),
            new CsvField<>("cycles_by_caller", ForkFile::cycles));

    private static final List<CsvField<ForkResult>> COLUMNS = Stream.concat(
                    IDENTITY.stream(),
                    Stream.of(Measure.values())
                            .map(measure ->
                                    new CsvField<ForkResult>(measure.column(), fork -> plain(fork.get(measure)))))
            .toList();

    private ForkFile() {}

    public static void append(Path file, ForkResult fork) {
        Csv.append(file, COLUMNS, fork);
    }

    private static String figures(ForkResult fork) {
        return fork.figures().entrySet().stream()
                .map(figure -> figure.getKey() + "=" + plain(figure.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String cycles(ForkResult fork) {
        return fork.cyclesByCaller().stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : new BigDecimal(String.format(Locale.ROOT, "%.6g", value)).toPlainString();
    }

    public static List<ForkResult> read(Path file) {
        return Csv.read(file).stream().map(ForkFile::fork).toList();
    }

    static ForkKey key(CsvRow row, int block, boolean profiled) {
        return new ForkKey(
                row.text("experiment"),
                row.constant("profile", Profile.class),
                block,
                row.text("arm"),
                Condition.parse(row.text("condition")),
                profiled);
    }

    private static ForkResult fork(CsvRow row) {
        ForkKey key = key(row, row.of("block", Integer::valueOf), Boolean.parseBoolean(row.text("profiled")));
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            // Older builds did not write the columns of all measures.
            double value = row.decimalOrNaN(measure.column());
            if (!Double.isNaN(value)) {
                measures.put(measure, value);
            }
        }
        TreeMap<String, Double> figures = new TreeMap<>();
        for (String figure : row.words("figures")) {
            int equals = figure.indexOf('=');
            String value = figure.substring(equals + 1);
            figures.put(figure.substring(0, equals), value.isEmpty() ? Double.NaN : Double.parseDouble(value));
        }
        return new ForkResult(
                key,
                row.of("attempt", Integer::valueOf),
                row.text("failure"),
                measures,
                figures,
                row.words("cycles_by_caller").stream().map(Long::valueOf).toList());
    }
}
