// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class BenchCommand implements Callable<Integer> {

    private static final List<String> VARIABLES = List.of("MEMCACHED_ADDR", "BENCH_JAVA_OPTS");

    private static final String PLAIN = "[A-Za-z0-9_./:,=@%+-]+";

    @Spec
    private @Nullable CommandSpec spec;

    protected final PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    protected final String typed() {
        return command(
                System.getenv(),
                Objects.requireNonNull(spec)
                        .root()
                        .commandLine()
                        .getParseResult()
                        .originalArgs());
    }

    static String command(Map<String, String> environment, List<String> arguments) {
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
