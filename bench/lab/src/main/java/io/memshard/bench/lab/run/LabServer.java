// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.lab.experiment.Experiment.ServerNeed;
import io.memshard.bench.server.BenchServer;
import io.memshard.testkit.MemcachedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The memcached or Redis of one fork. Each fork gets a new one, because memcached deals its connections to its workers
 * when they connect: that too must be drawn again.
 *
 * <p>Threading: confined to the thread that runs the lab. Failure: {@link BenchException} in one sentence.
 */
final class LabServer implements AutoCloseable {

    private static final int CONNECTIONS = 4096;
    private static final int MEGABYTES = 256;
    private static final int WORKERS = 4;

    private static final String HOST = "127.0.0.1";
    private static final String CONTAINER =
            "memshard-lab-server-" + ProcessHandle.current().pid();
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String address;
    private final long pid;
    private final String description;
    private final Runnable closer;

    private LabServer(String address, long pid, String description, Runnable closer) {
        this.address = address;
        this.pid = pid;
        this.description = description;
        this.closer = closer;
    }

    /**
     * A server for {@code need}.
     *
     * @param named {@code host:port} of a memcached that runs; empty to start one
     */
    static LabServer start(ServerNeed need, String named, Placement placement) {
        if (need == ServerNeed.NONE) {
            return new LabServer("", 0, "", () -> {});
        }
        if (need != ServerNeed.REDIS && !named.isEmpty()) {
            if (need == ServerNeed.ONE_WORKER) {
                throw new BenchException("a server with one worker is wanted, and " + named + " is given");
            }
            return new LabServer(named, 0, named, () -> {});
        }
        return need == ServerNeed.REDIS ? redis(placement) : memcached(need, placement);
    }

    private static LabServer redis(Placement placement) {
        RedisProcess process = RedisProcess.start(freePort());
        move(placement.moveServer(process.pid()));
        return new LabServer(process.address(), process.pid(), process.description(), process::close);
    }

    private static LabServer memcached(ServerNeed need, Placement placement) {
        List<String> arguments = List.of(
                "-t",
                String.valueOf(need == ServerNeed.ONE_WORKER ? 1 : WORKERS),
                "-c",
                String.valueOf(CONNECTIONS),
                "-m",
                String.valueOf(MEGABYTES));
        return placement.isolation() == Isolation.CONTAINER
                ? container(arguments, placement)
                : process(arguments, placement);
    }

    private static LabServer process(List<String> arguments, Placement placement) {
        MemcachedProcess process;
        try {
            process = MemcachedProcess.start(arguments.toArray(String[]::new));
        } catch (IllegalStateException e) {
            throw new BenchException(e.getMessage() + "; or name a server by --server host:port", e);
        }
        move(placement.moveServer(process.pid()));
        return new LabServer(
                process.host() + ":" + process.port(),
                process.pid(),
                process.description() + ", " + WORKERS + " workers",
                process::close);
    }

    private static LabServer container(List<String> arguments, Placement placement) {
        int port = freePort();
        List<String> all = new ArrayList<>(List.of("-l", HOST, "-p", String.valueOf(port), "-u", "nobody"));
        all.addAll(arguments);
        Thread remover = new Thread(() -> Containers.remove(CONTAINER), "container-remover");
        Runtime.getRuntime().addShutdownHook(remover);
        Containers.startServer(CONTAINER, placement.server(), all);
        Runnable closer = () -> {
            Containers.remove(CONTAINER);
            Runtime.getRuntime().removeShutdownHook(remover);
        };
        try {
            String version = versionOf(HOST + ":" + port);
            return new LabServer(
                    HOST + ":" + port,
                    Containers.pid(CONTAINER),
                    "memcached " + version + " in a container of Docker " + Containers.version() + ", " + WORKERS
                            + " workers",
                    closer);
        } catch (BenchException e) {
            closer.run();
            throw e;
        }
    }

    private static String versionOf(String address) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (BenchServer server = BenchServer.find(address)) {
                return server.version();
            } catch (BenchException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new BenchException(
                            "memcached does not answer in its container: " + Containers.log(CONTAINER), e);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new BenchException("no free port: " + e.getMessage(), e);
        }
    }

    private static void move(List<String> command) {
        if (!command.isEmpty()) {
            Commands.output(command);
        }
    }

    /** {@code host:port}; empty if none is needed. */
    String address() {
        return address;
    }

    /** Its process; 0 if that is not known. */
    long pid() {
        return pid;
    }

    /** Version and place, for a person. */
    String description() {
        return description;
    }

    @Override
    public void close() {
        closer.run();
    }
}
