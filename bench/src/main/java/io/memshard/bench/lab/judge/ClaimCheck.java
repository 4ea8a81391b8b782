// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Test of one statement of a claim, in one of the forms that the judge understands:
 *
 * <table>
 * <caption>Tests</caption>
 * <tr><td>{@code ratio A / B at CONDITION [of METRIC] above [SIZE]}<td>A is ahead of B by more than the margin, and by
 *     about SIZE if the source gives one
 * <tr><td>{@code ratio A / B at CONDITION [of METRIC] below [SIZE]}<td>A is behind B
 * <tr><td>{@code equal A / B at CONDITION [of METRIC]}<td>A and B are equal within the margin
 * <tr><td>{@code equal A / B at PARAMETERS until N}<td>A and B are equal with each number of threads up to N
 * <tr><td>{@code drop A at PARAMETERS [above X]}<td>the peak of A is more than X times its figure at the
 *     largest number of threads; without X, it is more than the margin above that figure
 * <tr><td>{@code crossing A over B at PARAMETERS until N}<td>A is ahead of B from N threads on, or from fewer
 * <tr><td>{@code trend A at PARAMETERS [from N] of METRIC}<td>the metric of A rises with the threads, from N on
 * <tr><td>{@code figure A at CONDITION of METRIC above X}<td>the median of the metric is greater than X
 * <tr><td>{@code occurs A at CONDITION of METRIC [above X]}<td>the metric of some fork is greater than X, or than 0
 * <tr><td>{@code ranks at CONDITION as A=1468 B=12545}<td>the arms have the order of the source's times: their rank
 *     correlation is above the value that chance exceeds in one of twenty cases
 * <tr><td>{@code first A at PARAMETERS as B C D}<td>A has the greatest throughput with each number of threads
 * <tr><td>{@code counted NAME holds}, {@code partly} or {@code fails}<td>the unit test NAME checks the claim
 * </table>
 *
 * <p>A test of locks ends with {@code on N processors}. On fewer processors, callers seldom wait for a lock, and the
 * absence of a difference does not count. A condition is {@code threads=8,hold=none}. Parameters are a condition
 * without its threads, or {@code any}.
 *
 * @param arm first arm, or the name of the unit test of {@code counted}
 * @param other second arm, or the answer of {@code counted}; otherwise empty
 * @param condition condition of the test, with one thread where the number of threads varies
 * @param value size, limit or number of threads; otherwise NaN
 * @param times arms of {@code ranks} with the times that the source gives, or the arms of {@code first} with NaN
 * @param leastCpus the N of {@code on N processors}; otherwise 0
 */
public record ClaimCheck(
        String text,
        Kind kind,
        String arm,
        String other,
        Condition condition,
        String metric,
        double value,
        Map<String, Double> times,
        int leastCpus) {

    public enum Kind {
        ABOVE,
        BELOW,
        EQUAL,
        DROP,
        CROSSING,
        TREND,
        FIGURE,
        OCCURS,
        RANKS,
        FIRST,
        COUNTED
    }

    private static final String ARM = " (?<arm>[a-z0-9][a-z0-9.-]*)";
    private static final String OTHER = " (?<other>[a-z0-9][a-z0-9.-]*)";
    private static final String AT = " at (?<at>\\S+)";
    private static final String OF = "(?: of (?<of>\\S+))?";
    private static final String VALUE = " (?<value>[0-9.]+)";
    private static final String ABOVE = "(?: above" + VALUE + ")?";

    private static final List<Pattern> FORMS = Stream.of(
                    "ratio" + ARM + " /" + OTHER + AT + OF + " (?<kind>above|below)(?:" + VALUE + ")?",
                    "(?<kind>equal)" + ARM + " /" + OTHER + AT + OF + "(?: until" + VALUE + ")?",
                    "(?<kind>drop)" + ARM + AT + ABOVE,
                    "(?<kind>crossing)" + ARM + " over" + OTHER + AT + " until" + VALUE,
                    "(?<kind>trend)" + ARM + AT + "(?: from" + VALUE + ")?" + OF,
                    "(?<kind>figure)" + ARM + AT + OF + " above" + VALUE,
                    "(?<kind>occurs)" + ARM + AT + OF + ABOVE,
                    "(?<kind>ranks)" + AT + " as (?<times>.+)",
                    "(?<kind>first)" + ARM + AT + " as (?<times>.+)",
                    "(?<kind>counted) (?<arm>\\w+) (?<other>holds|partly|fails)")
            .map(form -> Pattern.compile(form + "(?: on (?<cpus>\\d+) processors)?"))
            .toList();

    public static ClaimCheck parse(String text) {
        for (Pattern form : FORMS) {
            Matcher matcher = form.matcher(text);
            if (matcher.matches()) {
                return new ClaimCheck(
                        text,
                        Kind.valueOf(matcher.group("kind").toUpperCase(Locale.ROOT)),
                        group(matcher, "arm", ""),
                        group(matcher, "other", ""),
                        condition(group(matcher, "at", "any")),
                        group(matcher, "of", Metric.THROUGHPUT),
                        Double.parseDouble(group(matcher, "value", "NaN")),
                        times(group(matcher, "times", "")),
                        Integer.parseInt(group(matcher, "cpus", "0")));
            }
        }
        throw new IllegalArgumentException(
                "the test \"" + text + "\" of a claim has an unknown form; ClaimCheck lists the known forms");
    }

    /** Returns whether {@code ratio} would pass this test; true for a test that compares no ratio. */
    boolean holdsFor(double ratio, Margin margin) {
        double least = Double.isNaN(value) ? margin.ratio() : Math.max(margin.ratio(), value / margin.ratio());
        return switch (kind) {
            case ABOVE, DROP -> ratio > least;
            case BELOW -> 1 / ratio > margin.ratio();
            case EQUAL -> margin.of(new Interval(ratio, ratio, ratio)) == Margin.Position.EQUAL;
            default -> true;
        };
    }

    ClaimCheck of(String figure) {
        return new ClaimCheck(text, kind, arm, other, condition, figure, value, times, leastCpus);
    }

    public String brief() {
        return text.replaceFirst(" as .*", "");
    }

    private static String group(Matcher matcher, String name, String otherwise) {
        boolean has = matcher.pattern().pattern().contains("(?<" + name + ">");
        return has ? Objects.requireNonNullElse(matcher.group(name), otherwise) : otherwise;
    }

    private static Map<String, Double> times(String text) {
        Map<String, Double> byArm = new LinkedHashMap<>();
        for (String time : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int equals = time.indexOf('=');
            byArm.put(
                    equals < 0 ? time : time.substring(0, equals),
                    equals < 0 ? Double.NaN : Double.valueOf(time.substring(equals + 1)));
        }
        return Collections.unmodifiableMap(byArm);
    }

    private static Condition condition(String text) {
        if (text.equals("any")) {
            return Condition.ofThreads(1);
        }
        return text.contains("threads=") ? Condition.parse(text) : Condition.parse("threads=1," + text);
    }
}
