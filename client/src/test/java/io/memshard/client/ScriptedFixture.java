// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A scripted server and connections to it or to others, which leave nothing behind. */
abstract class ScriptedFixture {

    ScriptedServer server;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private LeakCheck leaks;

    @BeforeEach
    final void start() {
        leaks = LeakCheck.start();
        server = closedAfterwards(ScriptedServer.start().expectTimeout(PatientOptions.LONG));
    }

    @AfterEach
    final void stop() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        leaks.assertNothingLeft();
    }

    final <C extends AutoCloseable> C closedAfterwards(C closeable) {
        opened.push(closeable);
        return closeable;
    }

    final Connection connect(Transport transport) {
        return connect(server.host(), server.port(), transport, PatientOptions.DEFAULTS);
    }

    final Connection connect(String host, int port, Transport transport, ConnectionOptions options) {
        return closedAfterwards(new ConnectionGroup(options, 1))
                .newConnection(new ServerAddress(host, port), 0, transport);
    }

    /**
     * Command on an item.
     *
     * @param value its data block, or an empty text
     */
    record Request(String verb, String key, String value, boolean isQuiet) {}

    /** Answers each command; in a reply, # is the opaque of the command. */
    static void answer(ScriptedConnection connection, Function<Request, String> replies) {
        AtomicReference<@Nullable String> store = new AtomicReference<>();
        connection.greet().replyTo(line -> {
            String command = store.getAndSet(null);
            if (command == null && line.matches("(ms|set) .*")) {
                store.set(line);
                return "";
            }
            String[] words = (command == null ? line : command).split(" ");
            if (words[0].equals("mn")) {
                return "MN\r\n";
            }
            String opaque = Stream.of(words)
                    .skip(2)
                    .filter(word -> word.startsWith("O"))
                    .findFirst()
                    .orElse("");
            boolean isQuiet = words[words.length - 1].equals("q");
            String value = command == null ? "" : line;
            return replies.apply(new Request(words[0], words[1], value, isQuiet))
                    .replace("#", opaque);
        });
    }
}
