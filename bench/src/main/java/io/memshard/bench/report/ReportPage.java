// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Markup;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.locks.LockProfile;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The whole report as one HTML page, which is well-formed XML too: what was found first, then the
 * charts, then what speaks against us, then where it was measured. Style and drawings are in the page;
 * it loads nothing.
 *
 * <p>Threading: stateless.
 */
final class ReportPage {

    private ReportPage() {}

    /**
     * The page.
     *
     * @param comparison what was compared; null if that was not run
     * @param locks the lock profiles; null if they were not run
     */
    static String html(@Nullable ComparisonResult comparison, @Nullable LockReport locks) {
        Markup page = new Markup();
        page.open("html", "xmlns", "http://www.w3.org/1999/xhtml", "lang", "en").open("head");
        page.empty("meta", "charset", "utf-8");
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.element("title", "Memshard benchmark report");
        page.style(resource("report.css"));
        page.close("head").open("body").open("main");
        page.element("h1", "Memshard benchmark report");
        if (comparison != null) {
            page.element("p", Findings.headline(comparison), "class", "lede");
            page.element("p", Findings.basis(comparison));
            ComparisonSection.write(page, comparison);
        } else {
            page.element(
                    "p",
                    "Lock profiles only: no throughput was measured in this run, and none can be read from it.",
                    "class",
                    "lede");
        }
        if (locks != null) {
            LockSection.write(page, locks);
        }
        environment(page, comparison, locks);
        files(page, comparison, locks);
        page.close("main").close("body").close("html");
        return "<!DOCTYPE html>\n" + page;
    }

    private static void environment(Markup page, @Nullable ComparisonResult comparison, @Nullable LockReport locks) {
        Environment environment =
                comparison != null ? comparison.environment() : locks != null ? locks.environment() : null;
        if (environment == null) {
            return;
        }
        page.element("h2", "Where it was measured");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("started", environment.startedAt().toString()));
        rows.add(List.of("CPUs", environment.cpus() + ", " + environment.cpuModel()));
        rows.add(List.of("kernel", environment.kernel()));
        rows.add(List.of("JDK", environment.jdk()));
        rows.add(List.of("JVM flags", String.join(" ", environment.jvmFlags())));
        rows.add(List.of(
                "memcached",
                environment.serverVersion() + " at " + environment.server() + ", " + environment.serverSource()));
        rows.add(List.of("memcached flags", Objects.requireNonNullElse(environment.serverFlags(), "not known")));
        rows.add(List.of("load average at the start", Numbers.significant(environment.loadAverage())));
        rows.add(List.of(
                "CPU time stolen by the host",
                String.format(Locale.ROOT, "%.1f %%", environment.stealFraction() * 100)));
        rows.add(List.of("commit", environment.commit()));
        if (comparison != null) {
            ComparisonResult.Plan plan = comparison.plan();
            rows.add(List.of("noise (A/A)", Findings.noise(comparison)));
            rows.add(List.of(
                    "plan",
                    plan.forks() + " forks, profile " + plan.profile() + ", pool of " + plan.poolSize() + ", "
                            + plan.keys() + " keys, seed " + plan.seed()));
        }
        Page.table(page, List.of("*", "*"), rows);
        page.element("h3", "To repeat it");
        page.open("pre").element("code", environment.command()).close("pre");
        if (comparison != null
                && locks != null
                && !locks.environment().command().equals(environment.command())) {
            page.open("pre").element("code", locks.environment().command()).close("pre");
        }
    }

    private static void files(Markup page, @Nullable ComparisonResult comparison, @Nullable LockReport locks) {
        page.element("h2", "Raw data");
        page.element(
                "p",
                "In the same folder as this page. The recordings open in JDK Mission Control (File, Open File, then"
                        + " Lock Instances and Threads) and with jfr print.");
        page.open("ul");
        if (comparison != null) {
            link(page, ComparisonFiles.SLICES, "every slice of the comparison");
            link(page, ComparisonFiles.ENVIRONMENT, "where and how it was measured");
        }
        if (locks != null) {
            link(page, LockReport.FILE_NAME, "the lock profiles");
            for (LockProfile profile : locks.profiles()) {
                link(page, profile.recording(), profile.contender() + ", " + Page.threads(profile.threads()));
            }
        }
        page.close("ul");
    }

    private static void link(Markup page, String file, String what) {
        String href = URLEncoder.encode(file, StandardCharsets.UTF_8).replace("+", "%20");
        page.open("li").element("a", file, "href", href).text(": " + what).close("li");
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
