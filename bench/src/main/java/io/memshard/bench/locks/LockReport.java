// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.Bucket;
import io.memshard.bench.locks.LockProfile.JmcVerdict;
import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.table.MarkdownTable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Results of one run of lock profiles, in the order in which they ran. It is the content of {@code locks.json}.
 * Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 */
public record LockReport(Environment environment, long windowMillis, int valueSize, List<LockProfile> profiles) {

    /** Name of the file in a results folder. */
    public static final String FILE_NAME = "locks.json";

    /** Returns whether {@code folder} holds a report. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE_NAME));
    }

    /** Writes this report into {@code folder}, which is created if it does not exist. */
    public void write(Path folder) {
        TextFile.writeJson(folder.resolve(FILE_NAME), this);
    }

    /** Reads the report that {@link #write} wrote into {@code folder}. */
    public static LockReport read(Path folder) {
        return TextFile.readJson(folder.resolve(FILE_NAME), LockReport.class);
    }

    /** Returns the profiles as Markdown. */
    public String table() {
        return LockTable.of(this);
    }

    /** The lock profiles as Markdown, for the terminal and for {@code locks.md}. Threading: stateless. */
    static final class LockTable {

        private static final int SITES = 3;

        private LockTable() {}

        static String of(LockReport report) {
            boolean lost = report.profiles().stream().anyMatch(LockProfile::dataLost);
            return "Waits for 1,000 operations, and blocked milliseconds for each second and caller (in brackets).\n\n"
                    + new MarkdownTable<LockProfile>("---:")
                            .number("threads", LockProfile::threads)
                            .text("contender", profile -> profile.contender() + (profile.dataLost() ? "*" : ""))
                            .number("lock", profile -> cell(profile.bucket(WaitBucket.LOCK)))
                            .number("pool exhausted", profile -> cell(profile.bucket(WaitBucket.POOL_EXHAUSTED)))
                            .number("waiting for the reply", profile -> cell(profile.bucket(WaitBucket.REPLY)))
                            .number("unclassified", profile -> cell(profile.bucket(WaitBucket.UNCLASSIFIED)))
                            .number(
                                    "longest lock wait",
                                    "%.1f ms",
                                    profile -> profile.bucket(WaitBucket.LOCK).maxMicros() / 1e3)
                            .text("JMC: Java Blocking", profile -> blocking(profile.verdicts()))
                            .of(report.profiles())
                    + "\n"
                    + sites(report.profiles())
                    + (lost ? "- JFR dropped events of profiles marked with *: their counts are too low\n" : "")
                    + "- a wait in a selector or in a socket read is no Java wait and is not counted\n"
                    + "- \"Java Blocking\" of JMC sees monitors only, no java.util.concurrent lock and no pool\n";
        }

        private static String cell(Bucket bucket) {
            return bucket.waits() == 0
                    ? "0"
                    : String.format(
                            Locale.ROOT, "%.1f (%.1f)", bucket.waitsPerThousand(), bucket.blockedMillisPerSecond());
        }

        private static String blocking(List<JmcVerdict> verdicts) {
            return verdicts.stream()
                    .filter(verdict -> verdict.rule().equals("Java Blocking"))
                    .findFirst()
                    .map(verdict -> verdict.score() < 0
                            ? verdict.severity()
                            : String.format(Locale.ROOT, "%s %.0f", verdict.severity(), verdict.score()))
                    .orElse("-");
        }

        /** Returns the places with the longest waits for locks and for the pool, at the highest number of threads. */
        private static String sites(List<LockProfile> profiles) {
            int most = profiles.stream().mapToInt(LockProfile::threads).max().orElse(0);
            StringBuilder text = new StringBuilder("Where the time goes at " + most + " threads (locks and pool):\n\n");
            for (LockProfile profile : profiles) {
                if (profile.threads() == most) {
                    profile.sites().stream()
                            .filter(site ->
                                    site.bucket() == WaitBucket.LOCK || site.bucket() == WaitBucket.POOL_EXHAUSTED)
                            .limit(SITES)
                            .forEach(site -> text.append(line(profile, site)));
                }
            }
            return text.append('\n').toString();
        }

        private static String line(LockProfile profile, Site site) {
            return String.format(
                    Locale.ROOT,
                    "- %s: %.1f waits for 1,000 operations, %.0f ms, for %s at %s%s%n",
                    profile.contender(),
                    site.waitsPerThousand(),
                    site.totalMillis(),
                    site.lockClass() == null ? "nothing that JFR names" : site.lockClass(),
                    site.frame(),
                    site.ofCallers() ? "" : " (thread of the client)");
        }
    }
}
