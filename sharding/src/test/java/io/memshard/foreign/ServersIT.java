// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static io.memshard.foreign.Operations.MINUTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Operations of each kind on every server that {@code docker/servers} has provided, by default settings. Writes the
 * table of docs/versions.md.
 *
 * <p>Hazelcast 5.7.0 fails it now and then: that server stops answering with many commands in flight, also to plain
 * sockets.
 */
class ServersIT {

    private static final Path TABLE = Path.of("..", "docs", "results", "servers.csv.gz");

    /** Longest time until the connections are back after one was lost. */
    static final Duration LONGEST_ABSENCE = Duration.ofSeconds(30);

    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    /** What a message says that helps after a connection has ended. */
    private static final Pattern HELP =
            Pattern.compile("protocol\\(Protocol\\.CLASSIC\\)|no setting helps|the servers behind it");

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final List<String> rows = new ArrayList<>(List.of("server,operation,outcome,message"));
    private final List<String> wrong = new ArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();

    // Of the server whose turn it is.
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;

    @Test
    void everyOperationEndsAsDocumentedOnEveryServer() throws IOException {
        String directory = System.getProperty("memshard.servers");
        assumeTrue(directory != null, "set -Dmemshard.servers=DIRECTORY to the servers of docker/servers DIRECTORY");
        List<Path> folders;
        try (Stream<Path> all = Files.list(Path.of(directory))) {
            folders = all.filter(folder -> Files.exists(folder.resolve("title")))
                    .sorted(Comparator.comparing(ServersIT::byVersion))
                    .toList();
        }
        assertThat(folders).as("servers in " + directory).isNotEmpty();
        for (Path folder : folders) {
            try {
                runAll(folder);
            } catch (AssertionError e) {
                wrong.add(folder.getFileName() + ": " + e.getMessage());
            }
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(TABLE))) {
            out.write(String.join("\n", rows).concat("\n").getBytes(UTF_8));
        }
        assertThat(wrong).isEmpty();
    }

    private static String byVersion(Path folder) {
        return NUMBER.matcher(folder.getFileName().toString())
                .replaceAll(number -> "%06d".formatted(Integer.parseInt(number.group())));
    }

    private void runAll(Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(folder.resolve("start").toString()));
        List<String> ports = freePorts();
        command.addAll(ports);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try (Memshard memshard = Memshard.builder()
                .servers("127.0.0.1:" + ports.get(0))
                .requestTimeout(LONGEST_ABSENCE)
                .listener(new ConnectionListener() {
                    @Override
                    public void stateChanged(
                            ConnectionStatus connection,
                            ConnectionState before,
                            ConnectionState now,
                            @Nullable Throwable cause) {
                        if (before == ConnectionState.READY && now != ConnectionState.CLOSED) {
                            losses.incrementAndGet();
                        }
                    }
                })
                .build()) {
            Eventually.eventually("an answer; see the file log", LONGEST_START, () -> answers(ports.get(0)));
            client = memshard.client(Transcoder.utf8());
            async = memshard.asyncClient(Transcoder.utf8());
            // A server of Java has to be compiled first.
            Eventually.eventually("the first calls are answered", LONGEST_ABSENCE, () -> failure() == null);
            String server = Files.readString(folder.resolve("title")).strip();
            new Operations(memshard).all().forEach((name, operation) -> run(server, name, operation));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static List<String> freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()); // The script takes numbers.
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket three = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Stream.of(one, two, three)
                    .map(socket -> String.valueOf(socket.getLocalPort()))
                    .toList();
        }
    }

    private static boolean answers(String port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("get memshard:probe\r\n".getBytes(US_ASCII));
            return socket.getInputStream().read() == 'E';
        } catch (IOException e) {
            return false;
        }
    }

    private void run(String server, String name, Operations.Operation operation) {
        int before = losses.get();
        String kind = "ok";
        String message = "";
        try {
            operation.run("op" + rows.size() + "-k");
        } catch (Throwable e) {
            Throwable cause = e.getCause() instanceof MemcachedException known ? known : e;
            boolean hasEnded =
                    cause instanceof MemcachedConnectionException || cause instanceof MemcachedProtocolException;
            message = oneLine(String.valueOf(cause instanceof MemcachedException ? cause.getMessage() : cause));
            kind = cause instanceof MemcachedUnsupportedException
                    ? "unsupported"
                    : cause instanceof MemcachedServerException
                            ? "refused"
                            : hasEnded && HELP.matcher(message).find() ? "closed" : "wrong";
        }
        if (kind.equals("closed")) {
            kind = Eventually.holdsWithin(LONGEST_ABSENCE, () -> failure() == null) ? kind : "wrong";
        } else if (losses.get() > before) {
            kind = "wrong";
            message = "a connection was lost, and no word of it: " + message;
        } else if (failure() != null) {
            kind = "wrong";
            message = "the next call fails after: " + message;
        }
        rows.add(String.join(",", server, quoted(name), kind, quoted(message)));
        if (kind.equals("wrong")) {
            wrong.add(server + ", " + name + ": " + message);
            Eventually.holdsWithin(LONGEST_ABSENCE, () -> failure() == null);
        }
    }

    /** Returns null if blocking and asynchronous calls work on each connection, or a failure. */
    private @Nullable Throwable failure() {
        try {
            client.set("alive", "yes", MINUTE);
            async.set("alive", "yes", MINUTE).join();
            assertThat(client.get("alive")).isEqualTo("yes");
            assertThat(Collections.nCopies(4, async).stream()
                            .map(each -> each.get("alive").join()))
                    .containsOnly("yes");
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }

    /** Returns a message in one line, without what differs in each run. */
    private static String oneLine(String message) {
        String line = message.replaceAll("127\\.0\\.0\\.1:\\d+(\\[\\d+])?", "SERVER")
                .replaceAll("op\\d+-\\w+", "KEY")
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= 300 ? line : line.substring(0, 300) + "...";
    }

    private static String quoted(String text) {
        return text.matches("[^,\"]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
