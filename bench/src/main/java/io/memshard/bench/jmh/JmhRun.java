// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.machine.EnvironmentProbe;
import io.memshard.bench.result.EnvironmentFile;
import io.memshard.bench.server.BenchServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Run of JMH with the given arguments, which passes the address of the server to the forks. If JMH writes a file of
 * results, the run also writes the environment, which JMH's CSV does not contain.
 *
 * <p>Threading: confined to one thread. Failure: {@link BenchException} in one sentence; the output of JMH shows the
 * cause. The first benchmark that fails ends the run, unless {@code -foe false} is among the arguments.
 */
public final class JmhRun {

    /** System property of a fork with {@code host:port} of the server. */
    static final String SERVER_PROPERTY = "memshard.bench.server";

    private static final String APPEND = "-jvmArgsAppend";
    private static final String CONTENDER = "contender";

    /** Options with which JMH only lists something. */
    private static final Set<String> LISTS = Set.of("-h", "-l", "-lp", "-lprof", "-lrf");

    private JmhRun() {}

    /** Returns whether {@code arguments} run benchmarks, rather than only list something. */
    public static boolean needsServer(List<String> arguments) {
        return arguments.stream().noneMatch(LISTS::contains);
    }

    /** Makes JMH print the list that {@code arguments} request. */
    public static void list(List<String> arguments) throws IOException {
        org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
    }

    /**
     * Checks the contenders that {@code arguments} name.
     *
     * @throws BenchException if a contender is unknown, or cannot be opened without options that JMH does not know
     */
    public static void check(List<String> arguments) {
        // Given as -p contender=A,B or -pcontender=A.
        for (String name : parsed(arguments).getParameter(CONTENDER).orElse(List.of())) {
            if (contenders().noneMatch(kind -> kind.name().equals(name))) {
                throw new BenchException("unknown contender \"" + name + "\" in -p contender; known are "
                        + contenders().map(Enum::name).collect(Collectors.joining(", ")));
            }
        }
    }

    private static CommandLineOptions parsed(List<String> arguments) {
        try {
            return new CommandLineOptions(arguments.toArray(String[]::new));
        } catch (CommandLineOptionException e) {
            throw new BenchException("JMH: " + String.valueOf(e.getMessage()).strip(), e);
        }
    }

    private static Stream<ContenderKind> contenders() {
        return Arrays.stream(ContenderKind.values());
    }

    /**
     * Runs JMH with {@code arguments} and passes {@code server} to its forks. The environment records {@code command}.
     */
    public static void run(List<String> arguments, BenchServer server, String command) {
        EnvironmentProbe probe = new EnvironmentProbe();
        try {
            CommandLineOptions given = parsed(complete(arguments, server.hostAndPort()));
            Options options = new OptionsBuilder()
                    .parent(given)
                    .shouldFailOnError(given.shouldFailOnError().orElse(true))
                    .build();
            if (new Runner(options).run().isEmpty()) {
                throw new BenchException("no benchmark came to an end; what failed is above");
            }
            if (options.getResult().hasValue()) {
                EnvironmentFile.write(
                        environmentFile(Path.of(options.getResult().get())), probe.environment(server, command));
            }
        } catch (NoBenchmarksException e) {
            throw new BenchException("no benchmark has a name that matches " + String.join(" ", arguments), e);
        } catch (RunnerException e) {
            throw new BenchException("JMH: " + String.valueOf(e.getMessage()).strip(), e);
        }
    }

    /**
     * Returns the file for the environment next to {@code results}: {@code allocation-environment.csv} for {@code
     * allocation.csv}.
     */
    static Path environmentFile(Path results) {
        String name = String.valueOf(results.getFileName());
        int dot = name.lastIndexOf('.');
        return results.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + "-environment.csv");
    }

    /** Returns {@code arguments}, and the system property of the forks with the address of the server. */
    static List<String> complete(List<String> arguments, String hostAndPort) {
        String property = "-D" + SERVER_PROPERTY + "=" + hostAndPort;
        List<String> all = new ArrayList<>(arguments);
        // JMH accepts -jvmArgsAppend only once, so the property is added to an existing one.
        int append = all.indexOf(APPEND);
        if (append >= 0 && append + 1 < all.size()) {
            all.set(append + 1, all.get(append + 1) + " " + property);
        } else {
            all.add(APPEND);
            all.add(property);
        }
        return all;
    }
}
