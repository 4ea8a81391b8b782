// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.locks.CallerWaits;
import io.memshard.bench.locks.LockProfile;
import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.result.Csv;
import io.memshard.bench.result.CsvRow;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * {@code waits.csv}: the lock profiles of a run, a row for each bucket and for each place.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class WaitFile {

    /** Name of the file in a results folder. */
    public static final String NAME = "waits.csv";

    private static final List<String> COLUMNS = List.of(
            "experiment",
            "profile",
            "arm",
            "condition",
            "seconds",
            "cycles",
            "data_lost",
            "bucket",
            "of_callers",
            "lock_class",
            "frame",
            "waits",
            "total_ms");

    private WaitFile() {}

    /** Adds the rows of one profile. */
    public static void append(Path file, ForkKey key, ProfiledLoad load) {
        LockProfile profile = load.profile();
        for (CallerWaits waits : load.waits()) {
            append(
                    file,
                    row(
                            key,
                            profile,
                            waits.bucket().name(),
                            waits.ofCallers(),
                            "",
                            "",
                            waits.waits(),
                            waits.totalMillis()));
        }
        for (LockProfile.Site site : profile.sites()) {
            append(
                    file,
                    row(
                            key,
                            profile,
                            site.bucket().name(),
                            site.ofCallers(),
                            Objects.requireNonNullElse(site.lockClass(), ""),
                            site.frame(),
                            site.waits(),
                            site.totalMillis()));
        }
    }

    private static WaitRow row(
            ForkKey key,
            LockProfile profile,
            String bucket,
            boolean ofCallers,
            String lockClass,
            String frame,
            long waits,
            double totalMillis) {
        return new WaitRow(
                key.experiment(),
                key.profile(),
                key.arm(),
                key.condition(),
                profile.seconds(),
                profile.operations(),
                profile.dataLost(),
                bucket.toLowerCase(Locale.ROOT),
                ofCallers,
                lockClass,
                frame,
                waits,
                totalMillis);
    }

    /** Adds one row. */
    public static void append(Path file, WaitRow row) {
        Csv.append(
                file,
                COLUMNS,
                List.of(
                        row.experiment(),
                        row.profile().label(),
                        row.arm(),
                        row.condition().label(),
                        String.format(Locale.ROOT, "%.3f", row.seconds()),
                        String.valueOf(row.cycles()),
                        String.valueOf(row.dataLost()),
                        row.bucket(),
                        String.valueOf(row.ofCallers()),
                        row.lockClass(),
                        row.frame(),
                        String.valueOf(row.waits()),
                        String.format(Locale.ROOT, "%.3f", row.totalMillis())));
    }

    /** Every row of {@code file}, in its order. */
    public static List<WaitRow> read(Path file) {
        return CsvRow.read(file).stream().map(WaitFile::parsed).toList();
    }

    private static WaitRow parsed(CsvRow row) {
        return new WaitRow(
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
                row.decimal("total_ms"));
    }
}
