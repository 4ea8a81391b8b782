// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.result.Csv;
import io.memshard.bench.result.Environment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Facts about a run, by name, from {@code lab.csv}. */
public record RunFacts(Map<String, String> values) {

    public static final String NAME = "lab.csv";

    /** Names of the facts that must not change when an interrupted run continues. */
    public static final List<String> IDENTITY =
            List.of("commit", "jdk", "kernel", "size", "profiles", "plan", "claims");

    public RunFacts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    public String get(String name) {
        return values.getOrDefault(name, "");
    }

    public List<String> reasonsAgainst() {
        List<String> reasons = new ArrayList<>();
        if (!get("size").equals("full")) {
            reasons.add("the run was a quick one");
        }
        if (!get("busy").isEmpty()) {
            reasons.add("the machine was busy: " + get("busy"));
        }
        if (get("commit").endsWith("-dirty")) {
            reasons.add("files differed from the commit");
        }
        if (get("server").contains(Environment.NO_MEMCACHED)) {
            reasons.add("the server was no memcached");
        }
        return reasons;
    }

    public List<String> differencesFrom(RunFacts now) {
        List<String> differences = new ArrayList<>();
        for (String name : IDENTITY) {
            if (!get(name).equals(now.get(name))) {
                differences.add(name + " was " + get(name) + " and is " + now.get(name));
            }
        }
        if (now.get("commit").endsWith("-dirty")) {
            differences.add("files differ from the commit, and perhaps from the files of the earlier run");
        }
        return differences;
    }

    public void write(Path file) {
        List<List<String>> rows = new ArrayList<>();
        values.forEach((name, value) -> rows.add(List.of(name, value)));
        Csv.write(file, List.of("name", "value"), rows);
    }

    public static RunFacts read(Path file) {
        Map<String, String> facts = new LinkedHashMap<>();
        Csv.read(file).forEach(fact -> facts.put(fact.text("name"), fact.text("value")));
        return new RunFacts(facts);
    }
}
