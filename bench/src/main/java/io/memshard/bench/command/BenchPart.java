// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import io.memshard.bench.result.ComparisonResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Part of {@code bench/run}: its commands and its additions to pages. {@link ServiceLoader} finds the
 * parts on the class path, so that the comparison does not depend on the lab. Threading: stateless.
 */
public interface BenchPart {

    /** Returns new commands, in the order in which help shows them. */
    List<Callable<Integer>> commands();

    /** Returns the names, without {@code .md}, of the documentation pages that show results of this part. */
    List<String> pages();

    /** Returns the functions that generate the text of a marker, by the kind of the marker. */
    Map<String, Function<Marker, String>> markers();

    /** Returns the comparison in {@code folder}; empty if it has no file that this part writes. */
    default Optional<ComparisonResult> comparison(Path folder) {
        return Optional.empty();
    }

    /** Returns all parts on the class path, in the order of the class path. */
    static List<BenchPart> all() {
        return ServiceLoader.load(BenchPart.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
