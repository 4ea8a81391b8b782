package io.memshard.bench.compare;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.Latency;
import io.memshard.bench.result.Quartiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A comparison as Markdown: a table for each condition, then the environment. Threading: stateless. */
final class MarkdownReport {

    private MarkdownReport() {}

    static String of(ComparisonResult result) {
        StringBuilder text = new StringBuilder();
        Map<Condition, List<ContenderSummary>> tables = result.summaries().stream()
                .collect(Collectors.groupingBy(ContenderSummary::condition, LinkedHashMap::new, Collectors.toList()));
        tables.forEach((condition, lines) -> table(text, result.plan(), condition, lines));
        environment(text, result);
        return text.toString();
    }

    private static void table(
            StringBuilder text, ComparisonResult.Plan plan, Condition condition, List<ContenderSummary> lines) {
        text.append("### ").append(Progress.describe(condition)).append("\n\n");
        text.append("| contender | sockets | ratio to ").append(plan.baseline());
        text.append(" (quartiles) | ops/s | client CPU us/op | p50 us | p99 us | p99.9 us")
                .append(" | errors | timeouts | wrong |\n");
        text.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        for (ContenderSummary line : lines) {
            Quartiles ratio = line.ratio();
            Latency latency = line.latency();
            text.append(format(
                    "| %s | %d | %s | %,.0f | %.1f | %,.0f | %,.0f | %,.0f | %d | %d | %d |%n",
                    line.contender(),
                    line.connections(),
                    ratio == null
                            ? "-"
                            : format("**%.2f** (%.2f to %.2f)", ratio.median(), ratio.lower(), ratio.upper()),
                    line.operationsPerSecond(),
                    line.cpuMicrosPerOperation(),
                    latency.p50Micros(),
                    latency.p99Micros(),
                    latency.p999Micros(),
                    line.errors(),
                    line.timeouts(),
                    line.wrongValues()));
        }
        text.append('\n');
    }

    private static void environment(StringBuilder text, ComparisonResult result) {
        Environment environment = result.environment();
        ComparisonResult.Plan plan = result.plan();
        String flags = environment.serverFlags();
        text.append(format(
                "%d rounds of %d ms slices in shuffled order, seed %d; %d keys, every value compared whole;%n"
                        + "every operation timed; profile %s with a pool of %d. The ratio is the median over"
                        + " rounds of the%nthroughput over that of %s in the same round; %s%s is the same client"
                        + " once more: a ratio within its%nquartiles means nothing.%n%n",
                plan.rounds(),
                plan.sliceMillis(),
                plan.seed(),
                plan.keys(),
                plan.profile(),
                plan.poolSize(),
                plan.baseline(),
                plan.baseline(),
                Participant.AGAIN));
        text.append(format(
                "- %s, commit %s%n",
                environment.startedAt(), Objects.requireNonNullElse(environment.gitCommit(), "unknown")));
        text.append(format("- %d CPUs, %s; %s%n", environment.cpus(), environment.cpuModel(), environment.kernel()));
        text.append(format("- %s; %s%n", environment.jdk(), String.join(" ", environment.jvmFlags())));
        text.append(format(
                "- memcached %s at %s (%s%s)%n",
                environment.serverVersion(),
                environment.server(),
                environment.serverSource(),
                flags == null ? "" : ": " + flags));
        text.append(format(
                "- load average %.1f at the start; %.1f %% of CPU time stolen by the host%n",
                environment.loadAverage(), environment.stealFraction() * 100));
        text.append(format("- again: `%s`%n", environment.command()));
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of a library that is not worth having for it.
    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
