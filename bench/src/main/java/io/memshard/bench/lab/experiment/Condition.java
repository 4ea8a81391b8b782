// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Number of threads that call, and other parameters. Names and values contain no space, comma or {@code =}. */
public record Condition(int threads, SortedMap<String, String> parameters) implements Serializable {

    public static final String MAX = "max";

    /** Parameter with the calls per second of all threads. Without this parameter, threads call without a pause. */
    public static final String RATE = "rate";

    /** Parameter with the percentage of the client's throughput that {@link #RATE} is. */
    public static final String SHARE = "share";

    /** Parameter with the round trip between client and server, such as {@code 500us}. */
    public static final String ROUND_TRIP = "rtt";

    /** Parameter with the outage of one of three servers: {@value #STOP} or {@value #KILL}. */
    public static final String OUTAGE = "outage";

    public static final String STOP = "stop";
    public static final String KILL = "kill";

    public static final String CALLERS = "callers";
    public static final String VIRTUAL = "virtual";

    public Condition {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + ", but must be at least 1");
        }
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    public static Condition ofThreads(int threads) {
        return new Condition(threads, new TreeMap<>());
    }

    public Condition with(String name, Object value) {
        TreeMap<String, String> more = new TreeMap<>(parameters);
        more.put(name, value.toString());
        return new Condition(threads, more);
    }

    public Condition withThreads(int number) {
        return new Condition(number, parameters);
    }

    public String text(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    public int number(String name, int otherwise) {
        String value = parameters.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    public int rate() {
        return number(RATE, 0);
    }

    public boolean hasOutage() {
        return parameters.containsKey(OUTAGE);
    }

    public int roundTripMicros() {
        String text = text(ROUND_TRIP, "0us");
        if (!text.matches("\\d{1,7}us")) {
            throw new IllegalArgumentException(
                    "a round trip must be a number of microseconds, such as 500us, not \"" + text + "\"");
        }
        return Integer.parseInt(text.substring(0, text.length() - "us".length()));
    }

    public String label() {
        return "threads=" + threads + (parameters.isEmpty() ? "" : "," + parametersLabel());
    }

    public String parametersLabel() {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }

    public static Condition parse(String label) {
        SortedMap<String, String> parameters = new TreeMap<>();
        for (String part : label.split(",", -1)) {
            String[] sides = part.split("=", 2);
            if (sides.length < 2 || sides[0].isEmpty()) {
                throw new IllegalArgumentException(
                        "a condition must be a list of NAME=VALUE, such as threads=8,rtt=500us, not \"" + label + "\"");
            }
            parameters.put(sides[0], sides[1]);
        }
        String threads = parameters.remove("threads");
        return new Condition(threads == null ? 0 : Integer.parseInt(threads), parameters);
    }
}
