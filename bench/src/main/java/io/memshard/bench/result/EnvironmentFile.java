// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.Csv.CsvField;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * File with the facts of an {@link Environment}: a row for each fact, with its name and its value. Unknown facts are
 * ignored, so that another tool may add facts. Threading: stateless. Failure: {@link UncheckedIOException} naming the
 * file.
 */
public final class EnvironmentFile {

    private static final String NAME = "name";
    private static final String VALUE = "value";
    private static final String TREE = "tree";
    private static final String DIRTY = "dirty";

    private static final List<CsvField<Environment>> FACTS = List.of(
            new CsvField<>("command", Environment::command),
            new CsvField<>("started", Environment::startedAt),
            new CsvField<>("commit", environment -> Objects.requireNonNullElse(environment.gitCommit(), "")),
            new CsvField<>(TREE, EnvironmentFile::tree),
            new CsvField<>("cpus", Environment::cpus),
            new CsvField<>("cpu_model", Environment::cpuModel),
            new CsvField<>("kernel", Environment::kernel),
            new CsvField<>("jdk", Environment::jdk),
            new CsvField<>("jvm_flags", environment -> String.join(" ", environment.jvmFlags())),
            new CsvField<>("server", Environment::server),
            new CsvField<>("server_source", Environment::serverSource),
            new CsvField<>("server_version", Environment::serverVersion),
            new CsvField<>("server_flags", environment -> Objects.requireNonNullElse(environment.serverFlags(), "")),
            new CsvField<>("load_average", Environment::loadAverage),
            new CsvField<>("steal", Environment::stealFraction));

    private EnvironmentFile() {}

    /** Writes the facts of {@code environment} to {@code file}. */
    public static void write(Path file, Environment environment) {
        write(file, environment, List.of(), environment);
    }

    /** Writes the facts of {@code environment}, followed by the facts {@code more} of {@code record}. */
    public static <T> void write(Path file, Environment environment, List<CsvField<T>> more, T record) {
        List<List<String>> rows = new ArrayList<>();
        FACTS.forEach(fact -> rows.add(List.of(fact.name(), fact.of(environment))));
        more.forEach(fact -> rows.add(List.of(fact.name(), fact.of(record))));
        Csv.write(file, List.of(NAME, VALUE), rows);
    }

    /** Returns the facts of {@code file} by their names. */
    public static CsvRow read(Path file) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (CsvRow fact : Csv.read(file)) {
            facts.put(fact.text(NAME), fact.text(VALUE));
        }
        return new CsvRow(file, facts);
    }

    /** Returns the environment in {@code facts}, which {@link #read} returned. */
    public static Environment environment(CsvRow facts) {
        return new Environment(
                facts.instant("started"),
                facts.integer("cpus"),
                facts.text("cpu_model"),
                facts.text("kernel"),
                facts.text("jdk"),
                facts.words("jvm_flags"),
                facts.text("server"),
                facts.text("server_source"),
                facts.text("server_version"),
                facts.textOrNull("server_flags"),
                facts.decimal("load_average"),
                facts.decimal("steal"),
                facts.textOrNull("commit"),
                facts.text(TREE).equals(DIRTY),
                facts.text("command"));
    }

    private static String tree(Environment environment) {
        return environment.dirty() ? DIRTY : environment.gitCommit() == null ? "unknown" : "clean";
    }
}
