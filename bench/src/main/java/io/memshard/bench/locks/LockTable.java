// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.locks.LockProfile.Bucket;
import io.memshard.bench.locks.LockProfile.JmcVerdict;
import io.memshard.bench.locks.LockProfile.Site;
import java.util.List;
import java.util.Locale;

/**
 * The lock profiles as Markdown, for the terminal and for {@code locks.md}.
 *
 * <p>Threading: stateless.
 */
final class LockTable {

    private static final int SITES = 3;

    private LockTable() {}

    static String of(LockReport report) {
        StringBuilder text = new StringBuilder();
        text.append(
                "Waits for 1,000 operations, and blocked milliseconds for each second and caller (in brackets).\n\n");
        text.append("| threads | contender | lock | pool exhausted | waiting for the reply | unclassified |"
                + " longest lock wait | JMC: Java Blocking |\n");
        text.append("|---:|---|---:|---:|---:|---:|---:|---|\n");
        for (LockProfile profile : report.profiles()) {
            line(text, profile);
        }
        text.append('\n');
        sites(text, report.profiles());
        boolean lost = report.profiles().stream().anyMatch(LockProfile::dataLost);
        if (lost) {
            text.append("- JFR dropped events of profiles marked with *: their counts are too low\n");
        }
        text.append("- a wait in a selector or in a socket read is no Java wait and is not counted\n");
        text.append("- \"Java Blocking\" of JMC sees monitors only, no java.util.concurrent lock and no pool\n");
        return text.toString();
    }

    private static void line(StringBuilder text, LockProfile profile) {
        text.append(String.format(
                Locale.ROOT,
                "| %d | %s%s | %s | %s | %s | %s | %.1f ms | %s |%n",
                profile.threads(),
                profile.contender(),
                profile.dataLost() ? "*" : "",
                cell(profile.bucket(WaitBucket.LOCK)),
                cell(profile.bucket(WaitBucket.POOL_EXHAUSTED)),
                cell(profile.bucket(WaitBucket.REPLY)),
                cell(profile.bucket(WaitBucket.UNCLASSIFIED)),
                profile.bucket(WaitBucket.LOCK).maxMicros() / 1e3,
                blocking(profile.verdicts())));
    }

    private static String cell(Bucket bucket) {
        return bucket.waits() == 0
                ? "0"
                : String.format(Locale.ROOT, "%.1f (%.1f)", bucket.waitsPerThousand(), bucket.blockedMillisPerSecond());
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

    /** The places that cost most, at the highest number of threads. */
    private static void sites(StringBuilder text, List<LockProfile> profiles) {
        int most = profiles.stream().mapToInt(LockProfile::threads).max().orElse(0);
        text.append("Where the time goes at ").append(most).append(" threads (locks and pool):\n\n");
        for (LockProfile profile : profiles) {
            if (profile.threads() == most) {
                profile.sites().stream()
                        .filter(site -> site.bucket() == WaitBucket.LOCK || site.bucket() == WaitBucket.POOL_EXHAUSTED)
                        .limit(SITES)
                        .forEach(site -> text.append(line(profile, site)));
            }
        }
        text.append('\n');
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
