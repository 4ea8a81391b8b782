// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

abstract class ServerProcess implements MemcachedServer {

    static final String LOOPBACK = "127.0.0.1";
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(ServerProcess::kill), "server-process-killer"));
    }

    private final ClosedPort reserved;
    private final List<String> command;
    private final VersionProbe.Attempt probe;
    private volatile Process process;
    private volatile String version;

    ServerProcess(ClosedPort reserved, List<String> command, VersionProbe.Attempt probe) {
        this.reserved = reserved;
        this.command = List.copyOf(command);
        this.probe = probe;
        try {
            process = launch();
            version = awaitAnswer();
        } catch (IllegalStateException e) {
            reserved.close();
            throw e;
        }
        RUNNING.add(this);
    }

    /** Returns a free port. On Linux, the port stays reserved until the server is closed. */
    static ClosedPort reservedPort() {
        ClosedPort port = new ClosedPort();
        if (!System.getProperty("os.name").equals("Linux")) {
            port.close();
        }
        return port;
    }

    private Process launch() {
        try {
            return silent(command).start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + String.join(" ", command), e);
        }
    }

    private static ProcessBuilder silent(List<String> command) {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    private String awaitAnswer() {
        try {
            return VersionProbe.await(probe, TIMEOUT, process::isAlive);
        } catch (IOException e) {
            kill();
            throw new IllegalStateException(String.join(" ", command) + " does not answer", e);
        }
    }

    final String version() {
        return version;
    }

    /** Returns whether the process runs or is paused. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the id of the current process, or of the last process if none runs. */
    public long pid() {
        return process.pid();
    }

    final void signal(String name) {
        try {
            if (!isAlive()
                    || silent(List.of("kill", "-" + name, String.valueOf(pid())))
                                    .start()
                                    .onExit()
                                    .join()
                                    .exitValue()
                            != 0) {
                throw new IllegalStateException("the process does not run: " + command);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot run kill", e);
        }
    }

    /** Kills the process (SIGKILL), and waits until the process has exited. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Kills the process if it runs, and starts an empty server on the same port. */
    public synchronized void restart() {
        kill();
        process = launch();
        version = awaitAnswer();
    }

    @Override
    public int port() {
        return reserved.port();
    }

    @Override
    public String host() {
        return LOOPBACK;
    }

    @Override
    public void close() {
        kill();
        RUNNING.remove(this);
        reserved.close();
    }

    @Override
    public String toString() {
        return description();
    }
}
