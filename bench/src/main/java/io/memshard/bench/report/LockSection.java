// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Markup;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.locks.LockProfile;
import io.memshard.bench.locks.LockProfile.Bucket;
import io.memshard.bench.locks.LockProfile.JmcVerdict;
import io.memshard.bench.locks.LockProfile.Site;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.locks.WaitBucket;
import io.memshard.bench.report.StackedBars.Bar;
import io.memshard.bench.report.StackedBars.Group;
import io.memshard.bench.report.StackedBars.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The charts and tables of the lock profiles. Threading: stateless. */
final class LockSection {

    /** What is drawn; idle threads cost nothing. */
    private static final List<WaitBucket> DRAWN =
            List.of(WaitBucket.LOCK, WaitBucket.POOL_EXHAUSTED, WaitBucket.REPLY, WaitBucket.UNCLASSIFIED);

    /** What a change of the client could take away. */
    private static final List<WaitBucket> AVOIDABLE =
            List.of(WaitBucket.LOCK, WaitBucket.POOL_EXHAUSTED, WaitBucket.UNCLASSIFIED);

    private static final int SITES = 5;

    private LockSection() {}

    static void write(Markup page, LockReport report) {
        page.element("h2", "What the threads wait for");
        page.element(
                "p",
                String.format(
                        Locale.ROOT,
                        "From JFR recordings of runs that were not timed, %d ms of load each, with thresholds of 0 ms."
                                + " Every wait of a Java thread in that time is counted, callers and threads of the"
                                + " client together. Waiting for the reply is the way there and back, with every queue on it, not"
                                + " contention. A thread in a selector or in a read of a socket is no Java wait and is"
                                + " not here.",
                        report.windowMillis()));
        page.open("div", "class", "panels");
        Page.panel(
                page,
                "Waits for locks and for the pool, for 1,000 operations",
                chart(report, "waits for 1,000 operations", AVOIDABLE, Bucket::waitsPerThousand));
        Page.panel(
                page,
                "Where a caller's time goes: blocked ms in each second",
                chart(report, "blocked ms for each second and caller", DRAWN, Bucket::blockedMillisPerSecond));
        page.close("div");
        legend(page);
        buckets(page, report);
        sites(page, report);
        verdicts(page, report);
    }

    private static Markup chart(
            LockReport report, String unit, List<WaitBucket> buckets, ToDoubleFunction<Bucket> figure) {
        List<Group> groups = new ArrayList<>();
        for (String contender : contenders(report)) {
            List<Bar> bars = report.profiles().stream()
                    .filter(profile -> profile.contender().equals(contender))
                    .map(profile -> bar(profile, buckets, figure))
                    .toList();
            groups.add(new Group(contender, bars));
        }
        return StackedBars.draw(unit + ", by contender and number of threads", unit, groups);
    }

    private static Bar bar(LockProfile profile, List<WaitBucket> buckets, ToDoubleFunction<Bucket> figure) {
        return new Bar(
                profile.threads() + (profile.dataLost() ? " thr. *" : " thr."),
                buckets.stream()
                        .map(profile::bucket)
                        .map(bucket -> new Part(
                                cssClass(bucket.bucket()),
                                figure.applyAsDouble(bucket),
                                bucket.bucket().label() + ": " + Numbers.significant(figure.applyAsDouble(bucket))))
                        .toList());
    }

    private static List<String> contenders(LockReport report) {
        return report.profiles().stream().map(LockProfile::contender).distinct().toList();
    }

    private static void legend(Markup page) {
        page.open("p", "class", "legend");
        for (WaitBucket bucket : DRAWN) {
            page.element("span", "", "class", "swatch " + cssClass(bucket)).text(bucket.label() + " ");
        }
        page.close("p");
    }

    private static String cssClass(WaitBucket bucket) {
        return "b-" + bucket.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void buckets(Markup page, LockReport report) {
        page.element("h3", "By contender")
                .element(
                        "p",
                        "Waits for 1,000 operations, and in brackets the blocked milliseconds for each second and caller."
                                + " \u201cJava Blocking\u201d is a rule of JDK Mission Control on the same recording, 0"
                                + " to 100; it sees monitors only, so a queue for a java.util.concurrent lock or for"
                                + " the pool leaves it unmoved.");
        Page.table(
                page,
                List.of(
                        "threads",
                        "*contender",
                        "lock",
                        "pool exhausted",
                        "waiting for the reply",
                        "idle",
                        "unclassified",
                        "lock wait p50",
                        "p99",
                        "longest",
                        "*JMC: Java Blocking"),
                report.profiles().stream().map(LockSection::bucketRow).toList());
        if (report.profiles().stream().anyMatch(LockProfile::dataLost)) {
            page.element("p", "JFR dropped events of the profiles marked with *: their counts are too low.");
        }
        long errors = report.profiles().stream().mapToLong(LockProfile::errors).sum();
        if (errors > 0) {
            page.element("p", errors + " calls failed while the profiles were recorded; locks.json says where.");
        }
    }

    private static List<String> bucketRow(LockProfile profile) {
        Bucket lock = profile.bucket(WaitBucket.LOCK);
        return List.of(
                "" + profile.threads(),
                profile.contender() + (profile.dataLost() ? " *" : ""),
                cell(lock),
                cell(profile.bucket(WaitBucket.POOL_EXHAUSTED)),
                cell(profile.bucket(WaitBucket.REPLY)),
                cell(profile.bucket(WaitBucket.IDLE)),
                cell(profile.bucket(WaitBucket.UNCLASSIFIED)),
                lock.waits() == 0 ? "\u2013" : Numbers.micros(lock.p50Micros()),
                lock.waits() == 0 ? "\u2013" : Numbers.micros(lock.p99Micros()),
                lock.waits() == 0 ? "\u2013" : Numbers.micros(lock.maxMicros()),
                profile.verdicts().stream()
                        .filter(verdict -> verdict.rule().equals("Java Blocking"))
                        .map(LockSection::score)
                        .collect(Collectors.joining()));
    }

    private static String cell(Bucket bucket) {
        return bucket.waits() == 0
                ? "0"
                : Numbers.significant(bucket.waitsPerThousand()) + " ("
                        + Numbers.significant(bucket.blockedMillisPerSecond()) + ")";
    }

    private static String score(JmcVerdict verdict) {
        return verdict.score() < 0
                ? verdict.severity()
                : verdict.severity() + " " + String.format(Locale.ROOT, "%.0f", verdict.score());
    }

    private static void sites(Markup page, LockReport report) {
        page.element("h3", "Where they wait")
                .element(
                        "p",
                        "The places that cost most, without idle threads and waits for the reply: the lock and the first"
                                + " frame outside the JDK. JFR names the previous owner of a monitor, and of nothing"
                                + " else; how long an owner held it is not recorded.");
        List<List<String>> rows = new ArrayList<>();
        for (LockProfile profile : report.profiles()) {
            profile.sites().stream()
                    .filter(site -> AVOIDABLE.contains(site.bucket()))
                    .limit(SITES)
                    .forEach(site -> rows.add(siteRow(profile, site)));
        }
        Page.table(
                page,
                List.of(
                        "threads",
                        "*contender",
                        "*bucket",
                        "waits/1,000 ops",
                        "total ms",
                        "longest",
                        "*lock",
                        "*at",
                        "*thread",
                        "*previous owner"),
                rows);
    }

    private static List<String> siteRow(LockProfile profile, Site site) {
        String owner = site.previousOwner();
        String lockClass = site.lockClass();
        return List.of(
                "" + profile.threads(),
                profile.contender(),
                site.bucket().label(),
                Numbers.significant(site.waitsPerThousand()),
                Numbers.significant(site.totalMillis()),
                Numbers.micros(site.maxMicros()),
                lockClass == null ? "none named" : simple(lockClass),
                simpleFrame(site.frame()),
                site.ofCallers() ? "caller" : "client's own",
                owner == null ? "\u2013" : owner);
    }

    /** A class name without its package; the synchronizer's inner classes are known by their own names. */
    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1).replace("AbstractQueuedSynchronizer$", "");
    }

    /** {@code package.Type.method} without the package. */
    private static String simpleFrame(String frame) {
        int method = frame.lastIndexOf('.');
        return method < 0 ? frame : simple(frame.substring(0, method)) + frame.substring(method);
    }

    private static void verdicts(Markup page, LockReport report) {
        page.open("details").element("summary", "What JDK Mission Control says of each recording");
        List<List<String>> rows = new ArrayList<>();
        for (LockProfile profile : report.profiles()) {
            for (JmcVerdict verdict : profile.verdicts()) {
                rows.add(List.of(
                        "" + profile.threads(), profile.contender(), verdict.rule(), score(verdict), verdict.text()));
            }
        }
        Page.table(page, List.of("threads", "*contender", "*rule", "*verdict", "*text"), rows);
        page.close("details");
    }
}
