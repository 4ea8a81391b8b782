// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.Adviser.Effort;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.Keyspace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run advise}: which settings are fastest on the user's machine and server. */
@Command(
        name = "advise",
        description = "Measures settings of Memshard with your server for some minutes and says which to take. Stores"
                + " keys named bench:... on that server.")
final class AdviseCommand extends BenchCommand {

    private static final int LARGEST_VALUE = 1_000_000;
    private static final int MOST_THREADS = 2000;

    @Option(names = "--server", required = true, paramLabel = "host:port", description = "Your memcached.")
    private String server = "";

    @Option(
            names = "--threads",
            description = "Threads that call at once, or gets under way of an asynchronous program (default:"
                    + " ${DEFAULT-VALUE}).")
    private int threads = 64;

    @Option(names = "--value-size", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueSize = 1024;

    @Option(names = "--quick", description = "Two minutes instead of five: sees large differences only.")
    private boolean quick;

    @Option(names = "--full", description = "A quarter of an hour: sees smaller differences.")
    private boolean full;

    @Option(names = "--anyway", description = "Measure on a busy machine too.")
    private boolean anyway;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the data.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        check("--threads", threads, 1, MOST_THREADS);
        check("--value-size", valueSize, Keyspace.LEAST_VALUE, LARGEST_VALUE);
        if (quick && full) {
            throw new BenchException("--quick and --full: give one of them");
        }
        try (BenchServer found = BenchServer.find(server)) {
            out().printf(
                            "memcached %s at %s, %.0f us there and back%n",
                            found.version(), found.hostAndPort(), found.roundTripMicros());
        }
        Effort effort = quick ? Effort.QUICK : full ? Effort.FULL : Effort.USUAL;
        new Adviser(server, threads, valueSize, effort, folder(out), out()).advise(typed(), anyway);
        return 0;
    }

    private static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new BenchException(option + " must be from " + least + " to " + most + ", not " + value);
        }
    }
}
