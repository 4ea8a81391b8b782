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

/** Test of a claim about arms (systems). {@code FORMS} shows the syntax. */
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
        /** The ratio of the first arm to the second is greater than 1 by more than the margin. */
        ABOVE,
        BELOW,
        /** The ratio of the first arm to the second is 1 within the margin. */
        EQUAL,
        /** Peak throughput, divided by the throughput with the most threads, is greater than the given limit. */
        DROP,
        /** The first arm is ahead with the given number of threads and with every larger number. */
        CROSSING,
        TREND,
        FIGURE,
        /** The figure of at least one fork is greater than the given limit. */
        OCCURS,
        RANKS,
        /** The first arm has more throughput than all others, with each number of threads. */
        FIRST,
        /** A unit test checks the claim. */
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
