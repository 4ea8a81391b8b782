// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Child process of a server program. The process is killed when this object is closed, or when the JVM exits.
 *
 * <p>Threading: thread-safe; methods that start, signal or kill the process are serialised.
 */
final class ServerProcess implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final int START_ATTEMPTS = 3;

    private final List<String> command;
    private final VersionProbe.Attempt probe;
    private final Thread killer = new Thread(this::destroy, "server-process-killer");
    // Volatile because the shutdown hook and isAlive() read it without the lock.
    private volatile @Nullable Process process;
    private volatile String version = "";

    private ServerProcess(List<String> command, VersionProbe.Attempt probe) {
        this.command = List.copyOf(command);
        this.probe = probe;
    }

    /** Starts a process; fails if the program does not run, or if {@code probe} does not succeed within 30 seconds. */
    static ServerProcess start(List<String> command, VersionProbe.Attempt probe) {
        ServerProcess started = new ServerProcess(command, probe);
        started.launch();
        Runtime.getRuntime().addShutdownHook(started.killer);
        return started;
    }

    /** Calls {@code start} up to three times, because another process may take the port before the server does. */
    static <T> T retried(Supplier<T> start) {
        for (int attempt = 1; ; attempt++) {
            try {
                return start.get();
            } catch (IllegalStateException e) {
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    static Optional<Path> find(String path, String program) {
        return List.of(path.split(File.pathSeparator)).stream()
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(candidate -> Files.isExecutable(candidate) && !Files.isDirectory(candidate))
                .findFirst();
    }

    private synchronized void launch() {
        String line = String.join(" ", command);
        try {
            process = silent(command).start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + line, e);
        }
        try {
            version = VersionProbe.await(probe, START_TIMEOUT, this::isAlive);
        } catch (IOException e) {
            destroy();
            throw new IllegalStateException(line + " does not answer", e);
        }
    }

    private static ProcessBuilder silent(List<String> command) {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    String version() {
        return version;
    }

    boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    long pid() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("the process does not run: " + command);
        }
        return current.pid();
    }

    synchronized void signal(String name) {
        if (!isAlive()) {
            throw new IllegalStateException("the process to signal does not run: " + command);
        }
        try {
            Process signaller =
                    silent(List.of("kill", "-" + name, String.valueOf(pid()))).start();
            if (!signaller.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || signaller.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " failed for " + command);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while signalling", e);
        }
    }

    synchronized void kill() {
        destroy();
    }

    synchronized void restart() {
        destroy();
        launch();
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
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // The JVM is exiting and runs the hook itself.
        }
    }
}
