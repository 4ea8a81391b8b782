// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.command;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Context in which {@code bench/run} was called. The script passes the context in system properties. The properties
 * have defaults, so that {@code Main} also starts without the script. Threading: stateless.
 */
public final class BenchTerminal {

    /** Environment variables that change the measurement. */
    private static final List<String> VARIABLES = List.of("MEMCACHED_ADDR", "BENCH_JAVA_OPTS");

    private static final String PLAIN = "[A-Za-z0-9_./:,=@%+-]+";

    private BenchTerminal() {}

    /** Returns a command line that repeats the call of {@code spec}, with the environment variables that affect it. */
    public static String typed(CommandSpec spec) {
        return command(
                System.getenv(),
                spec.root().commandLine().getParseResult().originalArgs().toArray(String[]::new));
    }

    /**
     * Returns the command line of {@code bench/run} with {@code arguments}. The variables of {@code environment} that
     * affect the measurement come first. Words are quoted if a shell requires it.
     */
    public static String command(Map<String, String> environment, String... arguments) {
        StringBuilder command = new StringBuilder();
        for (String variable : VARIABLES) {
            String value = environment.get(variable);
            if (value != null && !value.isBlank()) {
                command.append(variable).append('=').append(quoted(value)).append(' ');
            }
        }
        command.append("bench/run");
        for (String argument : arguments) {
            command.append(' ').append(quoted(argument));
        }
        return command.toString();
    }

    private static String quoted(String argument) {
        return argument.matches(PLAIN) ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
