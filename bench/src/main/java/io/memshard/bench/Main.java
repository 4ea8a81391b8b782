// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchException;
import io.memshard.bench.command.BenchPart;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.compare.CompareOptions;
import io.memshard.bench.compare.CompareRun;
import io.memshard.bench.locks.LockPlan;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.locks.LockRun;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.server.BenchServer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
        description = "Compares ways to call memcached from Java on this machine. Without a command: compare,"
                + " locks and the report.")
public final class Main extends BenchCommand {

    @Mixin
    private CompareOptions options = new CompareOptions();

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

    /** Runs the comparison, the lock profiles that explain it, and the report, in this order and into one folder. */
    @Override
    public Integer call() {
        CompareRun run = new CompareRun(options);
        Path folder = folder(options.out());
        boolean terminal = BenchTerminal.isTerminal();
        ComparisonResult result = run.run(folder, typed(), out(), terminal);
        ComparisonPart.report(folder, result, locks(result, folder, terminal), out());
        return 0;
    }

    /** Returns the lock profiles that explain {@code result}; null if there are none, or if a contender fails. */
    private @Nullable LockReport locks(ComparisonResult result, Path folder, boolean terminal) {
        try (BenchServer server = options.findServer()) {
            LockPlan locks = LockPlan.explaining(result, options.isQuick());
            // A lock profile covers a single server.
            return locks.profiles() > 0 && server.addresses().size() == 1
                    ? new LockRun(locks)
                            .run(server, folder, result.environment().command(), out(), terminal)
                    : null;
        } catch (BenchException e) {
            out().println("no lock profiles: " + e.getMessage());
            return null;
        }
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
