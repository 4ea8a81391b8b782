package io.memshard.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@code memcached} of this machine, run as a child process on a free loopback port, that can be
 * paused, killed and restarted.
 *
 * <p>{@code Threading}: thread-safe; all methods are serialised. The process is killed when the JVM
 * ends, should nobody have closed it.
 *
 * <p>{@code Failure}: starting throws {@link IllegalStateException} if the program does not run or does
 * not answer {@code version} within 10 seconds.
 */
public final class MemcachedProcess implements MemcachedServer {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final int START_ATTEMPTS = 3;
    private static final String PROGRAM = "memcached";

    private final Path program;
    private final List<String> extraArguments;
    private final int port;
    private final Thread killer = new Thread(this::destroy, "memcached-process-killer");
    // Volatile for the killer and isAlive(), which do not wait for a method in progress.
    private volatile @Nullable Process process;
    private String version = "";

    private MemcachedProcess(Path program, List<String> extraArguments, int port) {
        this.program = program;
        this.extraArguments = extraArguments;
        this.port = port;
    }

    /** The {@code memcached} that the environment's PATH leads to, if there is one. */
    public static Optional<Path> findOnPath() {
        return findOnPath(Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    static Optional<Path> findOnPath(String path) {
        return List.of(path.split(File.pathSeparator)).stream()
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, PROGRAM))
                .filter(candidate -> Files.isExecutable(candidate) && !Files.isDirectory(candidate))
                .findFirst();
    }

    /**
     * Starts the {@code memcached} on the PATH.
     *
     * @param extraArguments given behind those for address and port, such as {@code -m 64}
     * @throws IllegalStateException if there is none or it does not start
     */
    public static MemcachedProcess start(String... extraArguments) {
        Path program = findOnPath()
                .orElseThrow(
                        () -> new IllegalStateException("no memcached on the PATH; install the package memcached"));
        return start(program, extraArguments);
    }

    /** Starts this program, which must take memcached's options. */
    public static MemcachedProcess start(Path program, String... extraArguments) {
        IllegalStateException last = null;
        // The port is free when asked for, but another process may take it before memcached does.
        for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
            MemcachedProcess started = new MemcachedProcess(program, List.of(extraArguments), freePort());
            try {
                started.launch();
                Runtime.getRuntime().addShutdownHook(started.killer);
                return started;
            } catch (IllegalStateException e) {
                last = e;
            }
        }
        throw new IllegalStateException("cannot start " + program, last);
    }

    /** A port of the loopback interface that nobody listens on now. */
    static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
    }

    private synchronized void launch() {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-l", host(), "-p", String.valueOf(port)));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody")); // memcached refuses to run as root
        }
        command.addAll(extraArguments);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + String.join(" ", command), e);
        }
        try {
            version = VersionProbe.await(host(), port, START_TIMEOUT, this::isAlive);
        } catch (IOException e) {
            destroy();
            throw new IllegalStateException(String.join(" ", command) + " does not answer", e);
        }
    }

    /** Whether the process runs, paused or not. */
    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    /** Pauses the process (SIGSTOP): its connections stay, and nothing is answered. */
    public synchronized void stop() {
        signal("STOP");
    }

    /** Lets a paused process go on (SIGCONT). */
    public synchronized void resume() {
        signal("CONT");
    }

    /** Kills the process (SIGKILL); returns when it is gone. */
    public synchronized void kill() {
        destroy();
    }

    /** Kills the process if it runs and starts another, empty, on the same port. */
    public synchronized void restart() {
        destroy();
        launch();
    }

    private void signal(String name) {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException("no process to signal: " + description());
        }
        try {
            Process signaller = new ProcessBuilder("kill", "-" + name, String.valueOf(current.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!signaller.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || signaller.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " failed for " + description());
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while signalling", e);
        }
    }

    private void destroy() {
        Process current = process;
        if (current == null) {
            return;
        }
        current.destroyForcibly();
        boolean interrupted = Thread.interrupted();
        try {
            current.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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
    public synchronized String description() {
        return "process " + program + " " + version + " on " + host() + ":" + port;
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // The JVM is ending and runs the hook itself.
        }
    }

    @Override
    public String toString() {
        return description();
    }
}
