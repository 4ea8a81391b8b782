// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.command.BenchPart;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Command line of the benchmarks.
 *
 * <p>Failure: an error that the user can fix prints one sentence on standard error. The exit status is 2 for a wrong
 * option and 1 for everything else. Only a bug in this program prints a stack trace.
 */
@Command(
        name = "bench/run",
        description = "Compares ways to call memcached from Java on this machine. Without a command: a quick run, of"
                + " three minutes at most, that shows that everything works and which differences are large.")
public final class Main extends BenchCommand {

    @Mixin
    private ClientOptions options = new ClientOptions();

    private Main() {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Returns the command line with the commands of all parts. */
    public static CommandLine commandLine() {
        CommandLine main = new CommandLine(new Main());
        BenchPart.all().stream().flatMap(part -> part.commands().stream()).forEach(main::addSubcommand);
        return main.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::wrongOption)
                .setExecutionExceptionHandler(Main::failed);
    }

    /** Runs a quick comparison, the lock profiles that explain it, and the report. */
    @Override
    public Integer call() {
        FullCommand.run(options, true, folder(options.out()), typed(), out());
        return 0;
    }

    private static int wrongOption(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr()
                .println("bench/run: " + e.getMessage() + " ("
                        + command.getCommandSpec().qualifiedName() + " --help explains)");
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine command, ParseResult parsed) throws Exception {
        if (e instanceof BenchException || e instanceof UncheckedIOException) {
            command.getErr().println("bench/run: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        throw e;
    }
}
