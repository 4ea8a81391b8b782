// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Child process of a twemproxy ({@code nutcracker}) of this machine, on a free loopback port in front of memcached
 * servers. The proxy distributes keys by ketama over MD5, with one connection to each server, and ejects no server.
 *
 * <p>{@code Threading}: thread-safe. A process that was not closed is killed when the JVM exits.
 *
 * <p>{@code Failure}: starting throws {@link IllegalStateException} if the program does not run or does not answer
 * within 30 seconds.
 */
public final class TwemproxyProcess implements MemcachedServer {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final int START_ATTEMPTS = 3;
    private static final String PROGRAM = "nutcracker";

    private final List<MemcachedServer> servers;
    private final int port = MemcachedProcess.freePort();
    private final Thread killer = new Thread(this::destroy, "twemproxy-process-killer");
    // Volatile for the killer, which does not wait for a method in progress.
    private volatile @Nullable Process process;
    private @Nullable Path configuration;

    private TwemproxyProcess(List<MemcachedServer> servers) {
        this.servers = servers;
    }

    /** Finds {@code nutcracker} on the environment's PATH. */
    public static Optional<Path> findOnPath() {
        return MemcachedProcess.findOnPath(
                Optional.ofNullable(System.getenv("PATH")).orElse(""), PROGRAM);
    }

    /**
     * Starts the {@code nutcracker} on the PATH in front of {@code servers}, which the caller still owns.
     *
     * @throws IllegalStateException if the PATH has no nutcracker, or nutcracker does not start
     */
    public static TwemproxyProcess start(MemcachedServer... servers) {
        Path program = findOnPath()
                .orElseThrow(
                        () -> new IllegalStateException("no nutcracker on the PATH; install the package nutcracker"));
        IllegalStateException last = null;
        // The ports are free when chosen, but another process may take them before nutcracker does.
        for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
            TwemproxyProcess started = new TwemproxyProcess(List.of(servers));
            try {
                started.launch(program);
                Runtime.getRuntime().addShutdownHook(started.killer);
                return started;
            } catch (IllegalStateException e) {
                last = e;
            }
        }
        throw new IllegalStateException("cannot start " + program, last);
    }

    private synchronized void launch(Path program) {
        try {
            Path written = Files.createTempFile("twemproxy", ".yml");
            configuration = written;
            Files.writeString(written, configurationText());
            process = new ProcessBuilder(
                            program.toString(),
                            "-c",
                            written.toString(),
                            "-o",
                            "/dev/null", // The default is a folder that only root may write.
                            "-a",
                            host(),
                            "-s",
                            String.valueOf(MemcachedProcess.freePort()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            awaitAnswer();
        } catch (IOException e) {
            destroy();
            throw new IllegalStateException("cannot run " + description(), e);
        }
    }

    private String configurationText() {
        StringBuilder text = new StringBuilder("proxy:\n");
        text.append("  listen: ").append(host()).append(':').append(port).append('\n');
        text.append("  hash: md5\n  distribution: ketama\n  auto_eject_hosts: false\n");
        text.append("  timeout: 5000\n  server_connections: 1\n  servers:\n");
        for (MemcachedServer server : servers) {
            text.append("   - ")
                    .append(server.host())
                    .append(':')
                    .append(server.port())
                    .append(":1\n");
        }
        return text.toString();
    }

    private void awaitAnswer() throws IOException {
        VersionProbe.await(this::query, START_TIMEOUT, this::isAlive);
    }

    /** Requests an item, and accepts any answer, even the error that a memcached server is down. */
    private String query() throws IOException {
        try (Socket socket = new Socket(host(), port)) {
            socket.setSoTimeout(Math.toIntExact(START_TIMEOUT.toMillis()));
            socket.getOutputStream().write("get testkit:probe\r\n".getBytes(StandardCharsets.ISO_8859_1));
            if (!isAlive() || socket.getInputStream().read() < 0) {
                throw new IOException("no answer");
            }
            return "answered";
        }
    }

    private boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    private void destroy() {
        Process current = process;
        if (current != null) {
            current.destroyForcibly();
            try {
                current.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            Path written = configuration;
            if (written != null) {
                Files.deleteIfExists(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the configuration of " + description(), e);
        }
    }

    @Override
    public String host() {
        return "127.0.0.1";
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String description() {
        return "twemproxy on " + host() + ":" + port + " in front of "
                + servers.stream().map(MemcachedServer::description).toList();
    }

    @Override
    public synchronized void close() {
        destroy();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // The JVM is exiting and runs the hook itself.
        }
    }

    @Override
    public String toString() {
        return description();
    }
}
