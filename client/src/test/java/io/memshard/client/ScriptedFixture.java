// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A scripted server and connections to it or to others. */
abstract class ScriptedFixture extends ConnectionFixture {

    ScriptedServer server;

    ScriptedFixture() {
        super(Transport.CALLER_DRIVEN, Protocol.AUTO);
    }

    @BeforeEach
    final void start() {
        server = scriptedServer();
    }

    final Connection connect(Transport transport) {
        return connect(server.host(), server.port(), transport, PatientOptions.create());
    }

    final Connection connect(String host, int port, Transport transport, ConnectionOptions options) {
        return closedAfterwards(new ConnectionGroup(options, 1))
                .newConnection(new ServerAddress(host, port), 0, transport);
    }

    /**
     * Command on an item.
     *
     * @param line the whole command
     * @param value its data block, or an empty text
     */
    record Request(String line, String verb, String key, String value) {

        boolean isQuiet() {
            return line.contains(" q ");
        }
    }

    /** Answers each command; in a reply, # is the opaque of the command. */
    static void answer(ScriptedConnection connection, Function<Request, String> replies) {
        AtomicReference<@Nullable String> store = new AtomicReference<>();
        connection.greet().replyTo(line -> {
            String command = store.getAndSet(null);
            if (command == null && line.matches("(ms|set) .*")) {
                store.set(line);
                return "";
            }
            String whole = command == null ? line : command;
            String[] words = whole.split(" ");
            if (words[0].equals("mn")) {
                return "MN\r\n";
            }
            String opaque = Stream.of(words)
                    .skip(2)
                    .filter(word -> word.startsWith("O"))
                    .findFirst()
                    .orElse("");
            String value = command == null ? "" : line;
            return replies.apply(new Request(whole, words[0], words[1], value)).replace("#", opaque);
        });
    }
}
