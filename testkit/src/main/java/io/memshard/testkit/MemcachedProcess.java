// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Child process that runs the program {@code memcached} of this machine on a free loopback port or a Unix domain
 * socket. The process can be paused, killed and restarted. If the JVM runs as root, memcached also runs as root.
 *
 * <p>Threading: thread-safe. A process that was not closed is killed when the JVM exits. Failure: starting throws
 * {@link IllegalStateException} if the program does not run or does not answer {@code version} within 30 seconds.
 */
public final class MemcachedProcess extends ServerProcess {

    private final Path program;
    private final @Nullable Path socket;

    private MemcachedProcess(Path program, ClosedPort port, VersionProbe.Attempt probe, List<String> arguments) {
        super(port, command(program, List.of("-l", LOOPBACK, "-p", String.valueOf(port.port())), arguments), probe);
        this.program = program;
        this.socket = null;
    }

    private MemcachedProcess(Path socket, List<String> arguments) {
        super(
                new ClosedPort(),
                command(onPath(), List.of("-s", socket.toString()), arguments),
                () -> VersionProbe.connect(UnixDomainSocketAddress.of(socket)));
        this.program = onPath();
        this.socket = socket;
    }

    private static List<String> command(Path program, List<String> address, List<String> arguments) {
        // As root, memcached starts only with this option.
        Stream<String> user = "root".equals(System.getProperty("user.name")) ? Stream.of("-u", "root") : Stream.of();
        return Stream.of(Stream.of(program.toString()), user, address.stream(), arguments.stream())
                .flatMap(part -> part)
                .toList();
    }

    /**
     * Starts the {@code memcached} on the PATH. Extra arguments, such as {@code -m 64}, follow the arguments for
     * address and port.
     */
    public static MemcachedProcess start(String... extraArguments) {
        return start(onPath(), extraArguments);
    }

    /** Starts {@code program}, which must accept memcached's options. */
    public static MemcachedProcess start(Path program, String... extraArguments) {
        ClosedPort port = reservedPort();
        return new MemcachedProcess(
                program, port, () -> VersionProbe.query(LOOPBACK, port.port()), List.of(extraArguments));
    }

    /**
     * Starts the {@code memcached} on the PATH with TLS.
     *
     * @param certificates PEM file with the server's certificate and its chain
     * @param key PEM file with the certificate's private key
     */
    public static MemcachedProcess startTls(Path certificates, Path key, String... extraArguments) {
        return startSilent(
                List.of("-Z", "-o", "ssl_chain_cert=" + certificates + ",ssl_key=" + key), List.of(extraArguments));
    }

    /**
     * Starts the {@code memcached} on the PATH with text authentication. The file {@code users} has one line {@code
     * user:password} for each user.
     */
    public static MemcachedProcess startAuthenticated(Path users, String... extraArguments) {
        return startSilent(List.of("-Y", users.toString()), List.of(extraArguments));
    }

    /** Starts a server without querying its version, because the server requires TLS or authentication. */
    private static MemcachedProcess startSilent(List<String> arguments, List<String> more) {
        ClosedPort port = reservedPort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port.port());
        return new MemcachedProcess(
                onPath(),
                port,
                () -> VersionProbe.connect(address),
                Stream.concat(arguments.stream(), more.stream()).toList());
    }

    /**
     * Starts the {@code memcached} on the PATH on a Unix domain socket, without a TCP port. {@link #host} is the path
     * of the socket, and {@link #port} is 0.
     */
    public static MemcachedProcess startOnUnixSocket(Path socket, String... extraArguments) {
        return new MemcachedProcess(socket, List.of(extraArguments));
    }

    private static Path onPath() {
        return Program.MEMCACHED.find().orElseThrow(() -> Program.MEMCACHED.missing(true));
    }

    /** Returns a port of the loopback interface on which no server listens now. */
    public static int freePort() {
        try (ClosedPort port = new ClosedPort()) {
            return port.port();
        }
    }

    /** Pauses the process (SIGSTOP), and waits until it has stopped. Connections stay open, but get no answers. */
    public void stop() {
        signal("STOP");
        Eventually.eventually("paused: " + description(), TIMEOUT, this::isStopped);
    }

    private boolean isStopped() {
        String[] threads =
                Path.of("/proc", String.valueOf(pid()), "task").toFile().list();
        return threads == null || Stream.of(threads).allMatch(this::isStopped);
    }

    private boolean isStopped(String thread) {
        try {
            // "id (name) state ...": the name may contain any character.
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid()), "task", thread, "stat"));
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new IllegalStateException("the process has exited: " + description(), e);
        }
    }

    /** Resumes a paused process (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    @Override
    public String host() {
        return socket == null ? super.host() : socket.toString();
    }

    @Override
    public int port() {
        return socket == null ? super.port() : 0;
    }

    @Override
    public String description() {
        return "process " + program + " " + version() + " on " + host() + ":" + port();
    }
}
