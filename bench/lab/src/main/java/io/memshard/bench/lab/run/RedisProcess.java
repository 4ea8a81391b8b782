// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.bench.command.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * The {@code redis-server} of the PATH as a child process on a loopback port. It keeps its data in memory only, as
 * a cache does.
 *
 * <p>Threading: confined to one thread. Failure: {@link BenchException} in one sentence.
 */
final class RedisProcess implements AutoCloseable {

    private static final String PROGRAM = "redis-server";
    private static final int ATTEMPTS = 200;
    private static final long PAUSE_MILLIS = 50;

    private final Process process;
    private final int port;
    private final String version;

    private RedisProcess(Process process, int port, String version) {
        this.process = process;
        this.port = port;
        this.version = version;
    }

    /** Starts one on {@code port} of the loopback address, and waits until it answers. */
    static RedisProcess start(int port) {
        Process process;
        String version;
        try {
            version = version();
            process = new ProcessBuilder(
                            PROGRAM,
                            "--port",
                            String.valueOf(port),
                            "--bind",
                            host(),
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--maxclients",
                            "4096")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new BenchException(
                    "there is no " + PROGRAM + " on the PATH: install Redis, or leave its arm without figures", e);
        }
        RedisProcess redis = new RedisProcess(process, port, version);
        if (!redis.answers()) {
            redis.close();
            throw new BenchException(PROGRAM + " does not answer on port " + port);
        }
        return redis;
    }

    /** {@code Redis server v=7.0.15 sha=...} in short. */
    private static String version() throws IOException {
        Process asked = new ProcessBuilder(PROGRAM, "--version")
                .redirectErrorStream(true)
                .start();
        String line = new String(asked.getInputStream().readAllBytes(), US_ASCII).strip();
        int end = line.indexOf(" sha=");
        return end < 0 ? line : line.substring(0, end);
    }

    private boolean answers() {
        for (int i = 0; i < ATTEMPTS && process.isAlive(); i++) {
            try (Socket socket = new Socket(host(), port)) {
                socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
                byte[] pong = socket.getInputStream().readNBytes("+PONG".length());
                return new String(pong, US_ASCII).equals("+PONG");
            } catch (IOException e) {
                pause();
            }
        }
        return false;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while " + PROGRAM + " started", e);
        }
    }

    private static String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /** {@code host:port}. */
    String address() {
        return host() + ":" + port;
    }

    long pid() {
        return process.pid();
    }

    /** Version and place, for a person. */
    String description() {
        return version + " on this machine, in memory only";
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
