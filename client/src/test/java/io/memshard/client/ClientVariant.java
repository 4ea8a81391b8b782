package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.ConnectionOptions;
import io.memshard.client.connection.ServerAddress;
import io.memshard.client.connection.Transport;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedServer;
import java.time.Duration;

/** The clients and servers that each test of an operation runs over. */
enum ClientVariant {
    BLOCKING_OVER_THE_EVENT_LOOP(Transport.EVENT_LOOP, false, false),
    BLOCKING_DRIVEN_BY_CALLERS(Transport.CALLER_DRIVEN, false, false),
    ASYNCHRONOUS_OVER_THE_EVENT_LOOP(Transport.EVENT_LOOP, true, false),
    ASYNCHRONOUS_DRIVEN_BY_CALLERS(Transport.CALLER_DRIVEN, true, false),
    BLOCKING_ON_EMBEDDED(Transport.AUTO, false, true),
    ASYNCHRONOUS_ON_EMBEDDED(Transport.EVENT_LOOP, true, true);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_VALUE_BYTES = 1024 * 1024;

    private final Transport transport;
    private final boolean asynchronous;
    private final boolean embedded;

    ClientVariant(Transport transport, boolean asynchronous, boolean embedded) {
        this.transport = transport;
        this.asynchronous = asynchronous;
        this.embedded = embedded;
    }

    /** The server to run on: the one found, or one of its own, to be closed. */
    MemcachedServer server(MemcachedServer found) {
        return embedded ? EmbeddedMemcached.start() : found;
    }

    /** Closes the server if it is one of its own. */
    void close(MemcachedServer server) {
        if (embedded) {
            server.close();
        }
    }

    static ConnectionGroup newGroup() {
        return new ConnectionGroup(
                ConnectionOptions.DEFAULTS
                        .withConnectTimeout(TIMEOUT)
                        .withLivenessTimeout(TIMEOUT)
                        .withMaxValueBytes(MAX_VALUE_BYTES),
                1);
    }

    Connection connection(ConnectionGroup group, MemcachedServer server) {
        return group.newConnection(new ServerAddress(server.host(), server.port()), 0, transport);
    }

    /** The client under test, as a blocking one. */
    MemcachedClient<String> client(CommandSender connection) {
        return asynchronous
                ? new AsyncAsBlocking<>(Clients.async(connection, Transcoder.utf8(), MAX_VALUE_BYTES, TIMEOUT))
                : Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, TIMEOUT);
    }
}
