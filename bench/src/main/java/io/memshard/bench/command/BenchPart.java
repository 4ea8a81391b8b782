// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Part of {@code bench/run}: its commands, its results, and its additions to pages. Parts are services of the class
 * path, so that the comparison knows neither the lab nor the studies. Threading: stateless.
 */
public interface BenchPart {

    /** Returns new commands, in the order in which help shows them. */
    List<Callable<Integer>> commands();

    /** Returns the pages of the documentation that show its results, without {@code .md}. */
    List<String> pages();

    /** Returns the generator of the text of each kind of marker. */
    Map<String, Function<Marker, String>> markers();

    /** Draws the report of {@code folder} into that folder. Returns false if it has no results of this part. */
    boolean report(Path folder, PrintWriter out);

    /** Returns all parts of the class path, in its order. */
    static List<BenchPart> all() {
        return ServiceLoader.load(BenchPart.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
