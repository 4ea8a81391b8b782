// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a claim says of the data, in words that the judge understands:
 *
 * <table>
 * <caption>Tests</caption>
 * <tr><td>{@code ratio A / B at CONDITION [of METRIC] above [SIZE]}<td>A is ahead of B by more than the margin, and by
 *     about SIZE if the source gives one
 * <tr><td>{@code ratio A / B at CONDITION [of METRIC] below [SIZE]}<td>A is behind B
 * <tr><td>{@code equal A / B at CONDITION [of METRIC]}<td>they are equal within the margin
 * <tr><td>{@code peak A at PARAMETERS until N}<td>A has its greatest figure at N threads at most
 * <tr><td>{@code drop A at PARAMETERS above X}<td>its peak is more than X times its figure at most threads
 * <tr><td>{@code rise A at PARAMETERS}<td>it does not fall by more than the margin as threads grow
 * <tr><td>{@code crossing A over B at PARAMETERS until N}<td>A is ahead of B from N threads on at the latest
 * <tr><td>{@code trend A at PARAMETERS of METRIC}<td>the metric of A rises as threads grow
 * <tr><td>{@code figure A at CONDITION of METRIC above X}<td>the metric is greater than X
 * <tr><td>{@code ranks at CONDITION above X as A=1468 B=12545}<td>the order of the source's times is ours, with a rank
 *     correlation of more than X
 * <tr><td>{@code counted NAME holds}, {@code counted NAME partly}<td>the unit test NAME counts it in every build
 * </table>
 *
 * <p>A condition is {@code threads=8,hold=none}; parameters are a condition without its threads, or {@code any} if
 * there are none.
 *
 * <p>Threading: immutable.
 *
 * @param text as written
 * @param kind what is asked
 * @param arm the arm, or the test that counts
 * @param other the second arm, or empty
 * @param condition with one thread where threads vary
 * @param metric what is compared
 * @param value a size, a limit or a number of threads; NaN if there is none
 * @param times of the source by arm, for ranks
 */
public record ClaimCheck(
        String text,
        Kind kind,
        String arm,
        String other,
        Condition condition,
        String metric,
        double value,
        Map<String, Double> times) {

    /** What is asked. */
    public enum Kind {
        /** A is ahead of B. */
        ABOVE,
        /** A is behind B. */
        BELOW,
        /** A and B are equal. */
        EQUAL,
        /** Where the greatest figure is. */
        PEAK,
        /** How far it falls from there. */
        DROP,
        /** Whether it rises all the way. */
        RISE,
        /** From where on A is ahead of B. */
        CROSSING,
        /** Whether a metric rises. */
        TREND,
        /** How large a metric is. */
        FIGURE,
        /** Whether systems have the source's order. */
        RANKS,
        /** What a unit test counts. */
        COUNTED
    }

    private static final String NUMBER = "([0-9.]+)";
    private static final String ARM = "([a-z0-9][a-z0-9.-]*)";
    private static final String AT = " at (\\S+)";
    private static final String OF = "(?: of (\\S+))?";

    private static final Pattern RATIO =
            Pattern.compile("ratio " + ARM + " / " + ARM + AT + OF + " (above|below)(?: " + NUMBER + ")?");
    private static final Pattern EQUAL = Pattern.compile("equal " + ARM + " / " + ARM + AT + OF);
    private static final Pattern CURVE =
            Pattern.compile("(peak|drop|rise) " + ARM + AT + "(?: (?:until|above) " + NUMBER + ")?");
    private static final Pattern CROSSING =
            Pattern.compile("crossing " + ARM + " over " + ARM + AT + " until " + NUMBER);
    private static final Pattern TREND = Pattern.compile("trend " + ARM + AT + OF);
    private static final Pattern FIGURE = Pattern.compile("figure " + ARM + AT + OF + " above " + NUMBER);
    private static final Pattern RANKS = Pattern.compile("ranks" + AT + " above " + NUMBER + " as (.+)");
    private static final Pattern COUNTED = Pattern.compile("counted (\\w+) (holds|partly)");

    /** The test that {@code text} describes. */
    public static ClaimCheck parse(String text) {
        Matcher matcher = RATIO.matcher(text);
        if (matcher.matches()) {
            Kind kind = matcher.group(5).equals("above") ? Kind.ABOVE : Kind.BELOW;
            return test(
                    text,
                    kind,
                    matcher.group(1),
                    matcher.group(2),
                    matcher.group(3),
                    matcher.group(4),
                    matcher.group(6));
        }
        matcher = EQUAL.matcher(text);
        if (matcher.matches()) {
            return test(text, Kind.EQUAL, matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4), null);
        }
        matcher = CURVE.matcher(text);
        if (matcher.matches() && (matcher.group(1).equals("rise") == (matcher.group(4) == null))) {
            Kind kind = Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
            return test(text, kind, matcher.group(2), "", matcher.group(3), null, matcher.group(4));
        }
        matcher = CROSSING.matcher(text);
        if (matcher.matches()) {
            return test(
                    text, Kind.CROSSING, matcher.group(1), matcher.group(2), matcher.group(3), null, matcher.group(4));
        }
        matcher = TREND.matcher(text);
        if (matcher.matches()) {
            return test(text, Kind.TREND, matcher.group(1), "", matcher.group(2), matcher.group(3), null);
        }
        matcher = FIGURE.matcher(text);
        if (matcher.matches()) {
            return test(text, Kind.FIGURE, matcher.group(1), "", matcher.group(2), matcher.group(3), matcher.group(4));
        }
        matcher = COUNTED.matcher(text);
        if (matcher.matches()) {
            return test(text, Kind.COUNTED, matcher.group(1), matcher.group(2), "any", null, null);
        }
        matcher = RANKS.matcher(text);
        if (matcher.matches()) {
            return ranks(text, matcher.group(1), Double.parseDouble(matcher.group(2)), matcher.group(3));
        }
        throw new IllegalArgumentException(
                "the judge does not understand \"" + text + "\"; ClaimCheck lists its words");
    }

    private static ClaimCheck test(
            String text,
            Kind kind,
            String arm,
            String other,
            String condition,
            @Nullable String metric,
            @Nullable String value) {
        return new ClaimCheck(
                text,
                kind,
                arm,
                other,
                condition(condition),
                metric == null ? Metric.THROUGHPUT : metric,
                value == null ? Double.NaN : Double.parseDouble(value),
                Map.of());
    }

    private static ClaimCheck ranks(String text, String condition, double least, String times) {
        Map<String, Double> byArm = new LinkedHashMap<>();
        for (String time : times.split(" ", -1)) {
            List<String> sides = List.of(time.split("=", -1));
            if (sides.size() != 2) {
                throw new IllegalArgumentException("ranks are given as ARM=TIME, not \"" + time + "\"");
            }
            byArm.put(sides.get(0), Double.valueOf(sides.get(1)));
        }
        return new ClaimCheck(
                text,
                Kind.RANKS,
                "",
                "",
                condition(condition),
                Metric.THROUGHPUT,
                least,
                Collections.unmodifiableMap(byArm));
    }

    private static Condition condition(String text) {
        if (text.equals("any")) {
            return Condition.ofThreads(1);
        }
        return text.contains("threads=") ? Condition.parse(text) : Condition.parse("threads=1," + text);
    }
}
