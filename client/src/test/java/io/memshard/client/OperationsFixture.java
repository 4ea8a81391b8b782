// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** A client of a variant for each test, closed and checked for leaks, and keys of the test's own. */
@Timeout(60)
@Tag("installed")
abstract class OperationsFixture {

    static final Duration HOUR = Duration.ofHours(1);

    /** More than the servers take, so that it is they who refuse. */
    static final int MAX_VALUE_BYTES = 2 * 1024 * 1024;

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final ClientVariant variant;
    private final MemcachedServer server;

    /**
     * Of its own for each test, since the servers are shared. Without a minus sign: memcached 1.6.18 looks for one in a
     * number from 2^63 on and goes beyond its end, where an item of before may have left it.
     */
    private final String prefix = "test" + ProcessHandle.current().pid() + '.' + TESTS.getAndIncrement() + ':';

    private LeakCheck leaks;
    private ConnectionGroup group;
    private Connection connection;

    /** The client under test, as a blocking one. */
    MemcachedClient<String> client;

    OperationsFixture(ClientVariant variant) {
        this.variant = variant;
        this.server = variant.server().server();
    }

    /** Skips a variant as a whole where there is no server for it. */
    @BeforeParameterizedClassInvocation
    static void needServer(ClientVariant variant) {
        variant.server().server();
    }

    @BeforeEach
    final void connect() {
        leaks = LeakCheck.start();
        group = group(MAX_VALUE_BYTES);
        connection = connection(group);
        client = client(connection, MAX_VALUE_BYTES);
    }

    @AfterEach
    final void close() {
        group.close();
        leaks.assertNothingLeft();
    }

    /** A group of the variant with this limit, to be closed. */
    final ConnectionGroup group(int maxValueBytes) {
        ConnectionOptions options = PatientOptions.with(variant.protocol());
        options.maxValueBytes = maxValueBytes;
        return new ConnectionGroup(options, 1);
    }

    /** A connection of the variant. */
    final Connection connection(ConnectionGroup its) {
        return its.newConnection(new ServerAddress(server.host(), server.port()), 0, variant.transport());
    }

    /** The connection of {@link #client}. */
    final Connection connection() {
        return connection;
    }

    /** A client of the variant. */
    final MemcachedClient<String> client(CommandSender its, int maxValueBytes) {
        return variant.calls().client(its, Transcoder.utf8(), maxValueBytes, PatientOptions.LONG);
    }

    final boolean isClassic() {
        return variant.isClassic();
    }

    /** The verb of a command as it is written: that of the meta protocol or the classic one. */
    final String verb(String meta, String classic) {
        return isClassic() ? classic : meta;
    }

    final String key(String name) {
        return prefix + name;
    }

    /**
     * The server's clock may be seconds behind, to which the time of an item above 30 days is sensitive. A minute has
     * passed at most, since no test takes longer.
     */
    final void expiresWithin(String key, Duration ttl) {
        assertThat(ttlSeconds(key)).isBetween(ttl.toSeconds() - 60, ttl.toSeconds() + 10);
    }

    /** The item's remaining time to live in seconds as the server has it, -1 if it never expires. */
    final long ttlSeconds(String key) {
        MemcachedServer items = variant.server().itemServer();
        try (Socket socket = new Socket(items.host(), items.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(("mg " + key + " t\r\n").getBytes(UTF_8));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
            assertThat(line).startsWith("HD t");
            return Long.parseLong(line.substring("HD t".length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
