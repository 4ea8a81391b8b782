// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import io.memshard.sample.shop.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "template-compat/sample/run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a shop on Spring Boot and memcached, and a page that shows and switches its connections.")
public final class SampleCommand implements Callable<Integer> {

    private static final int LARGEST_PORT = 65_535;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--memcached", description = "start the memcached on the PATH as processes, not inside this JVM")
    private boolean memcached;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "number of servers, 1 to " + Servers.MAX_COUNT + "; default ${DEFAULT-VALUE}")
    private int count = 3;

    @Option(names = "--threads", paramLabel = "N", description = "initial number of callers; default ${DEFAULT-VALUE}")
    private int threads = 8;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "address of the page; default ${DEFAULT-VALUE}. Anyone who reaches it can stop servers")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port of the page, 0 for any; default ${DEFAULT-VALUE}")
    private int port = 8080;

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
        Sample sample = start();
        Runtime.getRuntime().addShutdownHook(new Thread(sample::close, "sample-end"));
        System.out.println("Open " + sample.address() + " (Ctrl-C ends the sample)");
        new CountDownLatch(1).await();
        return CommandLine.ExitCode.OK;
    }

    private Sample start() {
        try {
            if (port < 0 || port > LARGEST_PORT) {
                throw new IllegalArgumentException("port is " + port + ", but must be 0 to " + LARGEST_PORT);
            }
            Setup setup = new Setup(Engine.SPYMEMCACHED, Mode.POOLED, true, threads);
            return Sample.start(setup, Servers.start(count, memcached), host, port);
        } catch (IllegalArgumentException e) {
            CommandLine command = Objects.requireNonNull(spec, "spec").commandLine();
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
