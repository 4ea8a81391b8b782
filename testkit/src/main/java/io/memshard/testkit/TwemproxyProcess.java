// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Child process that runs the twemproxy ({@code nutcracker}) of this machine on a free loopback port, in front of
 * memcached servers. The proxy distributes keys by ketama over MD5, with one connection to each server, and ejects no
 * server.
 *
 * <p>Threading: thread-safe. A process that was not closed is killed when the JVM exits.
 *
 * <p>Failure: starting throws {@link IllegalStateException} if the program does not run or does not answer within 30
 * seconds.
 */
public final class TwemproxyProcess implements MemcachedServer {

    private static final String HOST = "127.0.0.1";

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
        process = ServerProcess.start(command, () -> VersionProbe.queryItem(HOST, port));
    }

    /**
     * Starts the {@code nutcracker} on the PATH in front of {@code servers}, which the caller still owns.
     *
     * @throws IllegalStateException if the PATH has no nutcracker, or nutcracker does not start
     */
    public static TwemproxyProcess start(MemcachedServer... servers) {
        Path program = Program.NUTCRACKER.find().orElseThrow(() -> Program.NUTCRACKER.missing(true));
        return ServerProcess.retried(
                () -> new TwemproxyProcess(program, List.of(servers), MemcachedProcess.freePort()));
    }

    private static String configurationText(List<MemcachedServer> servers, int port) {
        String addresses = servers.stream()
                .map(server -> "   - " + server.host() + ":" + server.port() + ":1\n")
                .collect(Collectors.joining());
        return """
                proxy:
                  listen: %s:%d
                  hash: md5
                  distribution: ketama
                  auto_eject_hosts: false
                  timeout: 5000
                  server_connections: 1
                  servers:
                %s""".formatted(HOST, port, addresses);
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
