// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Child process that runs the twemproxy ({@code nutcracker}) of this machine on a free loopback port, in front of
 * memcached servers. The proxy distributes keys by ketama with MD5, opens one connection to each server, and ejects no
 * server.
 *
 * <p>Threading: thread-safe. A process that was not closed is killed when the JVM exits. Failure: starting throws
 * {@link IllegalStateException} if the program does not run or does not answer within 30 seconds.
 */
public final class TwemproxyProcess extends ServerProcess {

    private final List<MemcachedServer> servers;

    private TwemproxyProcess(ClosedPort port, List<String> command, List<MemcachedServer> servers) {
        super(port, command, () -> VersionProbe.queryItem(LOOPBACK, port.port()));
        this.servers = servers;
    }

    /** Starts the {@code nutcracker} on the PATH in front of {@code servers}. Closing the proxy stops no server. */
    public static TwemproxyProcess start(MemcachedServer... servers) {
        Path program = Program.NUTCRACKER.find().orElseThrow(() -> Program.NUTCRACKER.missing(true));
        ClosedPort port = reservedPort();
        List<String> command = List.of(
                program.toString(),
                "-c",
                configuration(servers, port.port()).toString(),
                "-o",
                "/dev/null", // The default is a folder that only root may write.
                "-a",
                LOOPBACK,
                "-s",
                String.valueOf(MemcachedProcess.freePort()));
        return new TwemproxyProcess(port, command, List.of(servers));
    }

    private static Path configuration(MemcachedServer[] servers, int port) {
        String addresses = Stream.of(servers)
                .map(server -> "   - " + server.host() + ":" + server.port() + ":1\n")
                .collect(Collectors.joining());
        try {
            Path file = Files.createTempFile("twemproxy", ".yml");
            file.toFile().deleteOnExit();
            return Files.writeString(file, """
                    proxy:
                      listen: %s:%d
                      hash: md5
                      distribution: ketama
                      auto_eject_hosts: false
                      timeout: 5000
                      server_connections: 1
                      servers:
                    %s""".formatted(LOOPBACK, port, addresses));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of twemproxy", e);
        }
    }

    @Override
    public String description() {
        return "twemproxy on " + host() + ":" + port() + " in front of "
                + servers.stream().map(MemcachedServer::description).toList();
    }
}
