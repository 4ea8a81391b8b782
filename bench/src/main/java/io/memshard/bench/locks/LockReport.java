// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.JmcRules.JmcVerdict;
import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.result.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lock profiles of one run, in the order in which they ran, as Markdown. Threading: immutable. */
public record LockReport(List<Judged> profiles) {

    private static final int SITES = 10;

    /** Profile with the verdicts of JMC on its recording. Threading: immutable. */
    public record Judged(LockProfile profile, List<JmcVerdict> verdicts) {

        String places() {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%s, %d callers, %.2f s: %,d operations, %,d failed%n%n",
                    profile.contender(),
                    profile.threads(),
                    profile.seconds(),
                    profile.operations(),
                    profile.errors()));
            text.append(new MarkdownTable<Site>()
                    .text("why", site -> site.bucket().name().toLowerCase(Locale.ROOT) + ": " + site.reason())
                    .text("class", site -> site.lockClass() == null ? "-" : "`" + site.lockClass() + "`")
                    .text("where", site -> "`" + site.frame() + "`" + (site.ofCallers() ? "" : " (not a caller)"))
                    .number("for 1,000 operations", "%.1f", site -> profile.perThousand((double) site.waits()))
                    .number("ms", "%,.0f", Site::totalMillis)
                    .number("longest, ms", "%.1f", site -> site.maxMicros() / 1e3)
                    .of(profile.sites().stream().limit(SITES).toList()));
            text.append('\n');
            verdicts.forEach(verdict -> text.append("- JMC, ")
                    .append(verdict.rule())
                    .append(": ")
                    .append(verdict.text())
                    .append('\n'));
            return text.toString();
        }

        private String cell(WaitBucket bucket) {
            return String.format(
                    Locale.ROOT,
                    "%.1f (%.1f)",
                    profile.waitsPerThousand(bucket),
                    profile.blockedMillisPerSecond(bucket));
        }

        private double longestLockWaitMillis() {
            return profile.sites().stream()
                            .filter(site -> site.bucket() == WaitBucket.LOCK)
                            .mapToDouble(Site::maxMicros)
                            .max()
                            .orElse(0)
                    / 1e3;
        }

        private String blocking() {
            return verdicts.stream()
                    .filter(verdict -> verdict.rule().equals("Java Blocking"))
                    .findFirst()
                    .map(JmcVerdict::label)
                    .orElse("-");
        }
    }

    /**
     * Reads {@code recordings} and writes a table of its places beside each, and {@code locks.md} with a line for each
     * into {@code folder}. Failure: {@link UncheckedIOException} naming the recording.
     *
     * @param command command line that repeats the run
     */
    public static LockReport write(List<Path> recordings, Path folder, String command) {
        List<Judged> profiles = new ArrayList<>();
        for (Path recording : recordings) {
            try {
                profiles.add(new Judged(LockProfile.read(recording), JmcRules.judge(recording)));
            } catch (IOException e) {
                throw TextFile.failure("read", recording, e);
            }
            String name = recording.getFileName().toString().replace(".jfr", ".md");
            TextFile.write(
                    folder.resolve(name), profiles.get(profiles.size() - 1).places());
        }
        LockReport report = new LockReport(profiles);
        TextFile.write(folder.resolve("locks.md"), report.table() + "- again: `" + command + "`\n");
        return report;
    }

    /** Returns a line for each profile. */
    public String table() {
        boolean lost = profiles.stream().anyMatch(judged -> judged.profile.dataLost());
        return "Waits for 1,000 operations, and blocked milliseconds for each second and caller (in brackets).\n\n"
                + new MarkdownTable<Judged>()
                        .number("threads", judged -> judged.profile.threads())
                        .text(
                                "contender",
                                judged -> judged.profile.contender() + (judged.profile.dataLost() ? "*" : ""))
                        .number("lock", judged -> judged.cell(WaitBucket.LOCK))
                        .number("pool exhausted", judged -> judged.cell(WaitBucket.POOL_EXHAUSTED))
                        .number("waiting for the reply", judged -> judged.cell(WaitBucket.REPLY))
                        .number("unclassified", judged -> judged.cell(WaitBucket.UNCLASSIFIED))
                        .number("longest lock wait", "%.1f ms", Judged::longestLockWaitMillis)
                        .text("JMC: Java Blocking", Judged::blocking)
                        .of(profiles)
                + "\n"
                + (lost ? "- JFR dropped events of profiles marked with *: their counts are too low\n" : "")
                + "- a wait in a selector or in a socket read is no Java wait and is not counted\n"
                + "- \"Java Blocking\" of JMC sees monitors only, no java.util.concurrent lock and no pool\n";
    }
}
