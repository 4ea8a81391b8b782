// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Child process that runs a {@code memcached} of this machine on a free loopback port or a Unix domain socket. The
 * process can be paused, killed and restarted.
 *
 * <p>If root starts memcached, memcached runs as the user {@code nobody}. The start methods then make the files that
 * they get, and the folders of these files, accessible to all users.
 *
 * <p>Threading: thread-safe; methods that start, signal or kill the process are serialised. A process that was
 * not closed is killed when the JVM exits.
 *
 * <p>Failure: starting throws {@link IllegalStateException} if the program does not run or does not answer
 * {@code version} within 30 seconds.
 */
public final class MemcachedProcess implements MemcachedServer {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final String LOOPBACK = "127.0.0.1";

    private final Path program;
    private final String host;
    private final int port;
    private final ServerProcess process;

    /** Reservation of the port between two starts; null except on Linux, where memcached can use a reserved port. */
    private final @Nullable ClosedPort held;

    private MemcachedProcess(
            Path program,
            List<String> arguments,
            String host,
            int port,
            @Nullable ClosedPort held,
            VersionProbe.Attempt probe) {
        this.program = program;
        this.host = host;
        this.port = port;
        this.held = held;
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if (isRoot()) {
            command.addAll(List.of("-u", "nobody")); // memcached refuses to run as root
        }
        command.addAll(arguments);
        this.process = ServerProcess.start(command, probe);
    }

    /**
     * Starts the {@code memcached} on the PATH.
     *
     * @param extraArguments arguments after those for address and port, such as {@code -m 64}
     * @throws IllegalStateException if the PATH has no memcached, or memcached does not start
     */
    public static MemcachedProcess start(String... extraArguments) {
        return start(onPath(), extraArguments);
    }

    /** Starts this program, which must accept memcached's options. */
    public static MemcachedProcess start(Path program, String... extraArguments) {
        return startOnPort(program, true, List.of(extraArguments));
    }

    /**
     * Starts the {@code memcached} on the PATH with TLS.
     *
     * @param certificates PEM file with the server's certificate and its chain
     * @param key PEM file with the certificate's private key
     */
    public static MemcachedProcess startTls(Path certificates, Path key, String... extraArguments) {
        for (Path file : List.of(certificates, key)) {
            openToAllUsers(file.toAbsolutePath().resolveSibling(""), "rwxr-xr-x");
            openToAllUsers(file, "rw-r--r--");
        }
        return startOnPort(
                onPath(),
                false,
                join(List.of("-Z", "-o", "ssl_chain_cert=" + certificates + ",ssl_key=" + key), extraArguments));
    }

    /**
     * Starts the {@code memcached} on the PATH with text authentication.
     *
     * @param users file with one line {@code user:password} for each user
     */
    public static MemcachedProcess startAuthenticated(Path users, String... extraArguments) {
        openToAllUsers(users.toAbsolutePath().resolveSibling(""), "rwxr-xr-x");
        openToAllUsers(users, "rw-r--r--");
        return startOnPort(onPath(), false, join(List.of("-Y", users.toString()), extraArguments));
    }

    /**
     * Starts the {@code memcached} on the PATH on a Unix domain socket and no TCP port. {@link #host} is then the path
     * of the socket, and {@link #port} 0.
     */
    public static MemcachedProcess startOnUnixSocket(Path socket, String... extraArguments) {
        openToAllUsers(socket.toAbsolutePath().resolveSibling(""), "rwxrwxrwx");
        List<String> arguments = join(List.of("-s", socket.toString()), extraArguments);
        return new MemcachedProcess(
                onPath(),
                arguments,
                socket.toString(),
                0,
                null,
                () -> VersionProbe.connect(UnixDomainSocketAddress.of(socket)));
    }

    private static Path onPath() {
        return Program.MEMCACHED.find().orElseThrow(() -> Program.MEMCACHED.missing(true));
    }

    private static List<String> join(List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return all;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void openToAllUsers(Path path, String permissions) {
        if (!isRoot()) {
            return;
        }
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new IllegalStateException("cannot let memcached's user read " + path, e);
        }
    }

    private static MemcachedProcess startOnPort(Path program, boolean answersVersion, List<String> extraArguments) {
        return ServerProcess.retried(() -> {
            ClosedPort held = isLinux() ? new ClosedPort() : null;
            int port = held == null ? freePort() : held.port();
            List<String> arguments = new ArrayList<>(List.of("-l", LOOPBACK, "-p", String.valueOf(port)));
            arguments.addAll(extraArguments);
            try {
                return new MemcachedProcess(
                        program,
                        arguments,
                        LOOPBACK,
                        port,
                        held,
                        () -> answersVersion
                                ? VersionProbe.query(LOOPBACK, port)
                                : VersionProbe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            } catch (IllegalStateException e) {
                release(held);
                throw e;
            }
        });
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    private static void release(@Nullable ClosedPort held) {
        if (held != null) {
            held.close();
        }
    }

    /** Returns a port of the loopback interface on which no server listens now. */
    public static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("this machine has no free port", e);
        }
    }

    /** Returns whether the process runs, paused or not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the id of the process that runs, or that ran last. */
    public long pid() {
        return process.pid();
    }

    /** Pauses the process (SIGSTOP): its connections stay open, but it answers nothing. Returns once it has stopped. */
    public synchronized void stop() {
        process.signal("STOP");
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        while (!isStopped()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new IllegalStateException("the process cannot be paused: " + description());
            }
            Thread.onSpinWait();
        }
    }

    /**
     * Returns whether each thread of the process is stopped, which takes a moment after the signal. Without {@code
     * /proc}, returns true.
     */
    private boolean isStopped() {
        if (!Files.isDirectory(Path.of("/proc/self/task"))) {
            return true;
        }
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid()), "task"))) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                // "id (name) state ...": the name may contain any character.
                String stat = Files.readString(thread.resolve("stat"));
                if (!stat.startsWith("T", stat.lastIndexOf(')') + 2)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new IllegalStateException("the process has exited: " + description(), e);
        }
    }

    /** Resumes a paused process (SIGCONT). */
    public void resume() {
        process.signal("CONT");
    }

    /** Kills the process (SIGKILL). Returns once it has exited. */
    public void kill() {
        process.kill();
    }

    /** Kills the process if it runs, and starts an empty memcached on the same port. */
    public void restart() {
        process.restart();
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String description() {
        return "process " + program + " " + process.version() + " on " + host + ":" + port;
    }

    @Override
    public void close() {
        process.close();
        release(held);
    }

    @Override
    public String toString() {
        return description();
    }
}
