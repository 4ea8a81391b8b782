// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.machine.JavaCommand;
import io.memshard.bench.server.BenchServer;
import io.memshard.bench.server.DelayingProxy;
import io.memshard.testkit.MemcachedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Memcached or Redis of one fork, or a network in front of it. Each fork gets a new server, because memcached assigns
 * connections to its workers when they connect, and this assignment must vary too. The {@code pid} is 0 if unknown.
 * Threading: confined to the thread that runs the lab. Failure: {@link BenchException} with a message of one sentence.
 */
record LabServer(String address, long pid, String description, Runnable closer) implements AutoCloseable {

    private static final int WORKERS = 4;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final String HOST = LOOPBACK.getHostAddress();
    private static final String REDIS = "redis-server";
    private static final String CONTAINER =
            "memshard-lab-server-" + ProcessHandle.current().pid();
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Starts the server for {@code need}. Uses the memcached at {@code named} instead, unless that is empty. */
    static LabServer start(ServerNeed need, String named, Processors processors) {
        if (need == ServerNeed.NONE) {
            return new LabServer("", 0, "", () -> {});
        }
        if (need == ServerNeed.REDIS) {
            return redis(processors);
        }
        if (named.isEmpty()) {
            int workers = need == ServerNeed.ONE_WORKER ? 1 : WORKERS;
            List<String> limits = List.of(("-t " + workers + " -c 4096 -m 256").split(" ", -1));
            return processors.isolation() == Isolation.CONTAINER
                    ? container(limits, processors)
                    : process(limits, processors);
        }
        if (need == ServerNeed.ONE_WORKER) {
            throw new BenchException("a server with one worker is wanted, and " + named + " is given");
        }
        return new LabServer(named, 0, named, () -> {});
    }

    /**
     * Starts a simulated network in front of this server, which stays open. The network is a {@link DelayingProxy} in a
     * separate process, on the processors of the server. Starts none if the round trip is 0.
     */
    LabServer behindNetwork(int roundTripMicros, Processors processors) {
        if (roundTripMicros == 0 || address.isEmpty()) {
            return new LabServer(address, pid, description, () -> {});
        }
        int colon = address.lastIndexOf(':');
        List<String> command = new ArrayList<>(processors.besideServer());
        command.addAll(JavaCommand.of(
                List.of("-Xmx128m", "-XX:+UseSerialGC"),
                JavaCommand.ownClassPath(),
                DelayingProxy.class.getName(),
                address.substring(0, colon),
                address.substring(colon + 1),
                String.valueOf(roundTripMicros)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader out = process.inputReader(UTF_8);
            String port = out.readLine();
            if (port == null) {
                throw new BenchException("the delaying proxy does not start: " + String.join(" ", command));
            }
            return new LabServer(HOST + ":" + port, pid, description, process::destroyForcibly);
        } catch (IOException e) {
            throw new BenchException("the delaying proxy does not start: " + e.getMessage(), e);
        }
    }

    private static LabServer process(List<String> limits, Processors processors) {
        MemcachedProcess process;
        try {
            process = MemcachedProcess.start(limits.toArray(String[]::new));
        } catch (IllegalStateException e) {
            throw new BenchException(e.getMessage() + "; or name a server by --server host:port", e);
        }
        processors.moveServer(process.pid());
        return new LabServer(
                process.host() + ":" + process.port(),
                process.pid(),
                process.description() + ", " + WORKERS + " workers",
                process::close);
    }

    private static LabServer container(List<String> limits, Processors processors) {
        int port = MemcachedProcess.freePort();
        String address = HOST + ":" + port;
        List<String> all = new ArrayList<>(List.of("-l", HOST, "-p", String.valueOf(port), "-u", "nobody"));
        all.addAll(limits);
        Thread remover = new Thread(() -> Containers.remove(CONTAINER), "container-remover");
        Runtime.getRuntime().addShutdownHook(remover);
        Containers.startServer(CONTAINER, processors.server(), all);
        Runnable closer = () -> {
            Containers.remove(CONTAINER);
            Runtime.getRuntime().removeShutdownHook(remover);
        };
        try {
            String version = awaitAnswer(() -> memcachedVersion(address), () -> Containers.log(CONTAINER));
            String description = "memcached " + version + " in a container of Docker " + Containers.version() + ", "
                    + WORKERS + " workers";
            return new LabServer(address, Containers.pid(CONTAINER), description, closer);
        } catch (BenchException e) {
            closer.run();
            throw e;
        }
    }

    /** Starts the {@code redis-server} of the PATH, which keeps its data in memory only, as a cache does. */
    private static LabServer redis(Processors processors) {
        int port = MemcachedProcess.freePort();
        Process process;
        try {
            // The value of --save is an empty word.
            String options = " --save  --appendonly no --maxclients 4096 --bind " + HOST + " --port " + port;
            process = new ProcessBuilder((REDIS + options).split(" ", -1))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new BenchException(
                    "there is no " + REDIS + " on the PATH: install Redis, or leave its arm without figures", e);
        }
        Runnable closer = () -> {
            process.destroyForcibly();
            process.onExit().join();
        };
        try {
            awaitAnswer(() -> ping(port), () -> process.isAlive() ? "it runs" : "it has ended");
            processors.moveServer(process.pid());
            String version = Containers.output(List.of(REDIS, "--version")).replaceFirst(" sha=.*", "");
            return new LabServer(
                    HOST + ":" + port, process.pid(), version + " on this machine, in memory only", closer);
        } catch (BenchException e) {
            closer.run();
            throw e;
        }
    }

    private static String memcachedVersion(String address) {
        try (BenchServer server = BenchServer.find(address)) {
            return server.version();
        }
    }

    private static String ping(int port) {
        try (Socket socket = new Socket(LOOPBACK, port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
            return new String(socket.getInputStream().readNBytes("+PONG".length()), US_ASCII);
        } catch (IOException e) {
            throw new BenchException("Redis: " + e.getMessage(), e);
        }
    }

    /** Calls {@code question} until it does not fail, for up to ten seconds. */
    private static String awaitAnswer(Supplier<String> question, Supplier<String> state) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return question.get();
            } catch (BenchException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new BenchException("the server does not answer: " + state.get(), e);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    @Override
    public void close() {
        closer.run();
    }
}
