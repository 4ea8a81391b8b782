// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Process of a server that {@code docker/servers} has provided, with those that it starts. Confined to one thread. */
final class ForeignServer implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final int READ_MILLIS = 1_000;
    private static final int START_ATTEMPTS = 3;

    private final String title;
    private final int port;
    private final Process process;

    private ForeignServer(String title, int port, Process process) {
        this.title = title;
        this.port = port;
        this.process = process;
    }

    /** Returns the folders of the servers in {@code directory}, in the order of their names and versions. */
    static List<Path> foldersIn(Path directory) throws IOException {
        try (Stream<Path> folders = Files.list(directory)) {
            return folders.filter(folder -> Files.exists(folder.resolve("title")))
                    .sorted(ForeignServer::byVersion)
                    .toList();
        }
    }

    private static int byVersion(Path one, Path other) {
        String[] parts = one.getFileName().toString().split("[-.]");
        String[] others = other.getFileName().toString().split("[-.]");
        for (int i = 0; i < Math.min(parts.length, others.length); i++) {
            int difference = parts[i].matches("\\d+") && others[i].matches("\\d+")
                    ? Integer.compare(Integer.parseInt(parts[i]), Integer.parseInt(others[i]))
                    : parts[i].compareTo(others[i]);
            if (difference != 0) {
                return difference;
            }
        }
        return parts.length - others.length;
    }

    /** Starts the server of {@code folder} on free ports, and returns it once it answers a {@code get}. */
    static ForeignServer start(Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOn(freePorts(), folder);
            } catch (AssertionError e) {
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static ForeignServer startOn(List<Integer> ports, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(folder.resolve("start").toString()));
        ports.forEach(port -> command.add(port.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        ForeignServer server =
                new ForeignServer(Files.readString(folder.resolve("title")).strip(), ports.get(0), process);
        try {
            Eventually.eventually(server + " answers; see its file log", LONGEST_START, server::answers);
        } catch (AssertionError e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static List<Integer> freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); // Others follow if taken.
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket three = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return List.of(one.getLocalPort(), two.getLocalPort(), three.getLocalPort());
        }
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new AssertionError(this + " has ended with " + process.exitValue() + "; see its file log");
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(READ_MILLIS);
            socket.getOutputStream().write("get memshard:probe\r\n".getBytes(US_ASCII));
            return socket.getInputStream().read() == 'E';
        } catch (IOException e) {
            return false;
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public String toString() {
        return title;
    }
}
