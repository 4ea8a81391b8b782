// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerState;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A memcached that takes no more connections serves the ones it has, and the client lives on these. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class FullServerIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 4;
    private static final int CALLERS = 8;

    private final LeakCheck leaks = LeakCheck.start();
    private final MemcachedProcess server = MemcachedProcess.start("-c", "64");
    private final MemcachedProcess other = MemcachedProcess.start();

    /** The connections that fill the server. */
    private final Deque<Socket> others = new ArrayDeque<>();

    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private Memshard memshard;

    /** Fills the server, then makes room for one connection, and waits until the server knows. */
    @BeforeEach
    void start() throws IOException {
        others.push(new Socket(server.host(), server.port()));
        while (!answer(others.peek(), "mn").contains("ERROR")) {
            others.push(new Socket(server.host(), server.port()));
        }
        others.pop().close();
        int full = stat("curr_connections"); // Nobody else connects yet.
        others.pop().close();
        eventually("room", () -> stat("curr_connections") < full); // As above.
    }

    private int stat(String name) {
        Socket first = others.getLast();
        int value = -1;
        for (String line = answer(first, "stats"); !line.equals("END"); line = line(first)) {
            if (line.startsWith("STAT " + name + " ")) {
                value = Integer.parseInt(line.substring(("STAT " + name + " ").length()));
            }
        }
        return value;
    }

    private static String answer(Socket socket, String request) {
        try {
            socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return "ERROR " + e;
        }
        return line(socket);
    }

    /** Reads byte by byte, so that nothing of the next line is lost. */
    private static String line(Socket socket) {
        StringBuilder line = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read();
                    next != '\n';
                    next = socket.getInputStream().read()) {
                if (next < 0) {
                    return "ERROR hang-up";
                }
                line.append((char) next);
            }
        } catch (IOException e) {
            return "ERROR " + e;
        }
        return line.toString().strip();
    }

    private MemshardBuilder builder() {
        return Fleet.patient()
                .servers(server.host() + ":" + server.port() + "," + other.host() + ":" + other.port())
                .connectionsPerServer(CONNECTIONS)
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50));
    }

    @AfterEach
    void close() throws IOException {
        callers.shutdownNow();
        memshard.close();
        while (!others.isEmpty()) {
            others.pop().close();
        }
        server.close();
        other.close();
        leaks.assertNothingLeft();
    }

    private String keyOfFullServer() {
        return Fleet.keyOf(memshard, server.port());
    }

    private long openAtFullServer() {
        return memshard.connectionStates().stream()
                .limit(CONNECTIONS)
                .filter(ConnectionState.READY::equals)
                .count();
    }

    @Test
    void nothingFailsWhileOneConnectionIsOpen() throws Exception {
        memshard = builder().build();
        MemcachedClient<byte[]> client = memshard.client();
        String key = keyOfFullServer();
        List<CompletableFuture<Void>> ends = IntStream.range(0, CALLERS)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                client.set(key, new byte[1], LONG);
                                assertThat(client.get(key)).hasSize(1);
                                assertThat(client.multiGet(List.of(key)).hitsOrThrow())
                                        .hasSize(1);
                            }
                        },
                        callers))
                .toList();
        ends.forEach(CompletableFuture::join);
        assertThat(openAtFullServer()).isEqualTo(1);

        others.pop().close();
        eventually("the second connection is open", () -> openAtFullServer() == 2);
    }

    @Test
    void refusedConnectionsDoNotEjectAServerThatServes() {
        memshard = builder().ejectAfter(2).connectEagerly().build();
        int before = stat("rejected_connections");
        eventually("refused again and again", () -> stat("rejected_connections") >= before + 7);
        assertThat(memshard.serverStatuses()).allMatch(each -> each.state() == ServerState.UP);
        assertThat(memshard.client().get(keyOfFullServer())).isNull();
    }

    @Test
    void callersLearnThatTheServerIsFull() throws IOException {
        others.push(new Socket(server.host(), server.port()));
        assertThat(answer(others.peek(), "mn")).isEqualTo("MN");
        memshard = builder().build();
        String key = keyOfFullServer();
        assertThatThrownBy(() -> memshard.client().get(key))
                .isInstanceOf(MemcachedConnectionException.class)
                .hasMessageContaining("raise its limit -c (max_connections)");
    }
}
