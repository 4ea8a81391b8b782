// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

    private static final int READ_TIMEOUT_MILLIS = 30_000;
    private static final String HOST = "127.0.0.1";
    private static final String PROGRAM = "nutcracker";

    private final List<MemcachedServer> servers;
    private final int port;
    private final Path configuration;
    private final ServerProcess process;

    private TwemproxyProcess(Path program, List<MemcachedServer> servers, int port) {
        this.servers = servers;
        this.port = port;
        try {
            configuration = Files.createTempFile("twemproxy", ".yml");
            configuration.toFile().deleteOnExit();
            Files.writeString(configuration, configurationText(servers, port));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of twemproxy", e);
        }
        List<String> command = List.of(
                program.toString(),
                "-c",
                configuration.toString(),
                "-o",
                "/dev/null", // The default is a folder that only root may write.
                "-a",
                HOST,
                "-s",
                String.valueOf(MemcachedProcess.freePort()));
        process = ServerProcess.start(command, () -> query(port));
    }

    /** Finds {@code nutcracker} on the environment's PATH. */
    public static Optional<Path> findOnPath() {
        return ServerProcess.findOnPath(PROGRAM);
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
        return ServerProcess.retried(
                () -> new TwemproxyProcess(program, List.of(servers), MemcachedProcess.freePort()));
    }

    private static String configurationText(List<MemcachedServer> servers, int port) {
        StringBuilder text = new StringBuilder("proxy:\n");
        text.append("  listen: ").append(HOST).append(':').append(port).append('\n');
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

    /** Requests an item, and accepts any answer, even the error that a memcached server is down. */
    private static String query(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.getOutputStream().write("get testkit:probe\r\n".getBytes(StandardCharsets.ISO_8859_1));
            if (socket.getInputStream().read() < 0) {
                throw new IOException("twemproxy did not answer");
            }
            return "answered";
        }
    }

    @Override
    public String host() {
        return HOST;
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
    public void close() {
        process.close();
        try {
            Files.deleteIfExists(configuration);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the configuration of " + description(), e);
        }
    }

    @Override
    public String toString() {
        return description();
    }
}
