// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Files of a comparison that was never measured, as they were published. */
public final class Slices {

    private static final String HEAD = "callers,threads,in_flight,load,value_bytes,fork,round,position,contender,"
            + "connections,elapsed_ns,operations,errors,timeouts,wrong_values,client_cpu_ns,server_cpu_ns,steal,jain,"
            + "p50_us,p99_us,p999_us,max_us\n";

    private final List<String> rows = new ArrayList<>();

    /** Adds a slice of a second; {@code cpuMicros} is the client's time for an operation. */
    public Slices slice(int fork, int round, String contender, int threads, long operations, double cpuMicros) {
        long cpuNanos = Math.round(1e3 * cpuMicros * operations);
        rows.add(String.format(
                Locale.ROOT,
                "blocking,%d,1,get,100,%d,%d,1,%s,2,1000000000,%d,0,0,0,%d,%d,0,0.9,10,20,900000,1000000%n",
                threads,
                fork,
                round,
                contender,
                operations,
                cpuNanos,
                3000 * operations));
        return this;
    }

    /** Writes both files into {@code folder}. */
    public void write(Path folder, int forks, String busy, String... contenders) {
        TextFile.write(folder.resolve(ComparisonFiles.SLICES), HEAD + String.join("", rows));
        TextFile.write(
                folder.resolve(ComparisonFiles.ENVIRONMENT), """
                name,value
                command,bench/run compare
                started,1970-01-01T00:00:00Z
                commit,0123456789ab
                tree,dirty
                cpus,2
                cpu_model,"a ""fast"" one,
                or <b>two</b>"
                server_source,found
                server_flags,
                profile,cloud
                pool_size,20
                forks,%d
                rounds,1
                slice_ms,1000
                keys,10
                seed,1
                contenders,%s
                busy,%s
                """.formatted(forks, String.join(" ", contenders), busy));
    }
}
