// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import io.memshard.sample.shop.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command line of the sample: starts the servers, the shop and the page, and prints the address of the page.
 *
 * <p>Failure: a bad option or a server that does not start gives a sentence on the error stream and a status that is
 * not zero.
 */
@Command(
        name = "template-compat/sample/run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a shop on Spring Boot and memcached, and a page that shows and switches its connections.")
public final class SampleCommand implements Callable<Integer> {

    private static final int DEFAULT_COUNT = 3;
    private static final int LARGEST_PORT = 65_535;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(heading = "Servers: inside the JVM, unless one of these is set%n")
    private @Nullable Source source;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "number of servers to start, 1 to " + Servers.MAX_COUNT + "; default " + DEFAULT_COUNT)
    private @Nullable Integer count;

    @Option(names = "--threads", paramLabel = "N", description = "callers at the start; default ${DEFAULT-VALUE}")
    private int threads = 8;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "address of the page; default ${DEFAULT-VALUE}. Anyone who reaches it may switch and stop")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port of the page, 0 for any; default ${DEFAULT-VALUE}")
    private int port = 8080;

    static final class Source {

        @Option(names = "--memcached", description = "processes of the memcached on the PATH")
        private boolean memcached;

        @Option(
                names = "--servers",
                paramLabel = "HOST:PORT",
                split = ",",
                description = "running servers, separated by commas")
        private List<String> servers = List.of();

        private Servers.Kind kind() {
            return memcached ? Servers.Kind.PROCESS : Servers.Kind.EMBEDDED;
        }
    }

    /** Runs until the process ends. */
    public static void main(String[] arguments) {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SampleCommand()).setExecutionExceptionHandler((e, command, parsed) -> {
            command.getErr().println("sample: " + (e.getMessage() == null ? e : e.getMessage()));
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    @Override
    public Integer call() throws InterruptedException {
        System.err.println("starting the servers, the shop and the page ...");
        Thread interrupted =
                new Thread(() -> System.err.println("sample: ended by a signal before it had started"), "sample-cut");
        Runtime.getRuntime().addShutdownHook(interrupted);
        Sample sample;
        try {
            sample = Sample.start(setup(), servers(), host, checkedPort());
        } finally {
            Runtime.getRuntime().removeShutdownHook(interrupted);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(sample), "sample-end"));
        System.out.println("Open " + sample.address() + " (Ctrl-C ends it)");
        new CountDownLatch(1).await();
        return CommandLine.ExitCode.OK;
    }

    private static void end(Sample sample) {
        System.err.println("sample: ended");
        sample.close();
    }

    private Setup setup() {
        try {
            return new Setup(Engine.SPYMEMCACHED, Mode.POOLED, true, threads);
        } catch (IllegalArgumentException e) {
            throw refused("--threads: " + e.getMessage());
        }
    }

    private int checkedPort() {
        if (port < 0 || port > LARGEST_PORT) {
            throw refused("--port is " + port + ", but must be 0 to " + LARGEST_PORT);
        }
        return port;
    }

    private Servers servers() {
        int wanted = count == null ? DEFAULT_COUNT : count;
        if (wanted < 1 || wanted > Servers.MAX_COUNT) {
            throw refused("--count is " + wanted + ", but must be 1 to " + Servers.MAX_COUNT);
        }
        if (source == null) {
            return Servers.start(Servers.Kind.EMBEDDED, wanted);
        }
        if (source.servers.isEmpty()) {
            return Servers.start(source.kind(), wanted);
        }
        if (count != null) {
            throw refused("--count is for servers that the sample starts: remove it with --servers");
        }
        try {
            return Servers.given(source.servers);
        } catch (IllegalArgumentException e) {
            throw refused("--servers: " + e.getMessage());
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(Objects.requireNonNull(spec, "spec").commandLine(), message);
    }
}
