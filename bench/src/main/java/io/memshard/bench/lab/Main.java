// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.result.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Unmatched;

/** Command line of the benchmarks. The exit status is 2 for a wrong option and 1 for every other failure. */
@Command(
        name = "bench/run",
        description = "Compares ways to call memcached from Java on this machine. Without a command, starts a quick run"
                + " of at most three minutes, which shows that everything works and which differences are large.")
public final class Main extends BenchCommand {

    @Mixin
    private ClientOptions options = new ClientOptions();

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    public static CommandLine commandLine() {
        CommandLine main = new CommandLine(new Main());
        List.of(
                        new FullCommand(),
                        new FullCommand.Locks(),
                        new LabCommand(),
                        new OpenLoopCommand.Latency(),
                        new OpenLoopCommand.Outage(),
                        new Tables(),
                        new Jmh())
                .forEach(main::addSubcommand);
        return main.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::wrongOption)
                .setExecutionExceptionHandler(Main::failed);
    }

    @Override
    public Integer call() {
        options.isQuick = true;
        FullCommand.run(options.toPlan(), options.folder(), typed(), out());
        return 0;
    }

    private static int wrongOption(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr()
                .println("bench/run: " + e.getMessage() + " ("
                        + command.getCommandSpec().qualifiedName() + " --help lists the options)");
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (e instanceof BenchException || e instanceof UncheckedIOException) {
            command.getErr().println("bench/run: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        throw e;
    }

    @Command(
            name = "tables",
            description = "Generates the tables and charts in the pages of docs from the data of the runs.")
    private static final class Tables extends BenchCommand {
        @Parameters(
                arity = "0..*",
                paramLabel = "PAGE",
                description = "Markdown pages with markers (default: all such pages of docs).")
        private List<Path> pages = List.of();

        @Override
        public Integer call() {
            for (Path page : pages.isEmpty() ? ResultsPage.ALL : pages) {
                ResultsPage generated = ResultsPage.of(page);
                List<Path> stale = generated.stale();
                generated.write();
                stale.forEach(file -> out().println("- changed: " + file));
            }
            out().flush();
            return 0;
        }
    }

    @Command(
            name = "jmh",
            description = "Runs the JMH benchmarks. All further arguments go to JMH; -h shows its options.")
    private static final class Jmh implements Callable<Integer> {
        @Unmatched
        private List<String> arguments = new ArrayList<>();

        @Override
        public Integer call() throws IOException {
            org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
            return 0;
        }
    }
}
