// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.TimerlessSender;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each server's own answer, from servers of this test alone, since it flushes them. */
@Timeout(120)
class AdminClientIT {

    private final ConnectionGroup group = new ConnectionGroup(PatientOptions.create(), 1);
    private final EmbeddedMemcached embedded = EmbeddedMemcached.start();

    @AfterEach
    void close() {
        group.close();
        embedded.close();
    }

    private static AdminClient client(Map<ServerAddress, CommandSender> servers, Duration timeout) {
        return Clients.admin(servers, timeout);
    }

    private Connection connect(ServerAddress server, Transport transport) {
        return group.newConnection(server, 0, transport);
    }

    private static ServerAddress address(MemcachedServer server) {
        return new ServerAddress(server.host(), server.port());
    }

    private static ServerAddress address(ScriptedServer server) {
        return new ServerAddress(server.host(), server.port());
    }

    private AdminClient admin(Transport transport, ServerAddress... servers) {
        Map<ServerAddress, CommandSender> connections = new LinkedHashMap<>();
        for (ServerAddress server : servers) {
            connections.put(server, connect(server, transport));
        }
        return client(connections, LONG);
    }

    @Test
    void embeddedServerAnswersSupportedCommands() {
        AdminClient admin = admin(Transport.CALLER_DRIVEN, address(embedded));
        assertThat(admin.stats().single()).containsEntry("curr_items", "0");
        assertThat(admin.stats("settings").single()).containsEntry("item_size_max", "1048576");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.stats("reset"))
                .withMessage(
                        "group is \"reset\", but must be one of [items, slabs, sizes, settings, conns, detail dump]");
        assertThat(admin.resetStats().single()).isEqualTo("RESET");
        assertThat(admin.flushAll(Duration.ZERO).single()).isEqualTo("OK");
    }

    @NeedsProgram(Program.MEMCACHED)
    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "CALLER_DRIVEN"})
    void memcachedAnswersEverything(Transport transport) {
        try (MemcachedProcess memcached = MemcachedProcess.start()) {
            AdminClient admin = admin(transport, address(memcached));
            MemcachedClient<String> client =
                    Clients.blocking(connect(address(memcached), transport), Transcoder.utf8(), 1024, LONG);
            assertThat(admin.countPrefixes(true).single()).isEqualTo("OK");
            client.set("a:1", "one", TimeToLive.NEVER);
            client.get("a:1");
            client.get("a:2");

            Map<String, String> stats = admin.stats().single();
            assertThat(stats)
                    .containsEntry("version", admin.version().single())
                    .containsEntry("curr_items", "1")
                    .containsEntry("total_items", "1")
                    .containsEntry("get_hits", "1")
                    .containsEntry("limit_maxbytes", String.valueOf(64 << 20))
                    .containsKeys("pid", "uptime", "threads", "bytes", "max_connections")
                    .doesNotContainKey("END"); // Any counts.

            assertThat(admin.stats("items").single()).containsEntry("items:1:number", "1");
            assertThat(admin.stats("slabs").single()).containsEntry("active_slabs", "1");
            assertThat(admin.stats("sizes").single()).containsEntry("sizes_status", "disabled");
            assertThat(admin.stats("settings").single())
                    .containsEntry("item_size_max", "1048576")
                    .containsEntry("detail_enabled", "yes");
            assertThat(admin.stats("conns").single().keySet()).anyMatch(name -> name.endsWith(":state"));
            assertThat(admin.stats("detail dump").single()).isEmpty();
            assertThat(admin.countPrefixes(false).single()).isEqualTo("OK");
            assertThat(admin.verbosity(0).single()).isEqualTo("OK");

            assertThat(admin.resetStats().single()).isEqualTo("RESET");
            assertThat(admin.stats().single()).containsEntry("get_hits", "0");

            assertThat(admin.flushAll(Duration.ofHours(1)).single()).isEqualTo("OK");
            assertThat(client.get("a:1")).isEqualTo("one");
            assertThat(admin.flushAll(Duration.ZERO).single()).isEqualTo("OK");
            assertThat(client.get("a:1")).isNull();
        }
    }

    @Test
    void eachServerHasItsOwnAnswerOrFailure() {
        try (EmbeddedMemcached other = EmbeddedMemcached.start();
                ScriptedServer refusing = ScriptedServer.start()
                        .onConnection(c -> c.greet().replyTo(line -> switch (line) {
                            case "mn" -> "MN\r\n";
                            case "version" -> "VERSION 1.6.18\r\n";
                            default -> "CLIENT_ERROR flush_all not allowed\r\n";
                        }));
                ScriptedServer gone = ScriptedServer.start()) {
            gone.stopAccepting();
            AdminClient admin =
                    admin(Transport.EVENT_LOOP, address(other), address(gone), address(embedded), address(refusing));
            ServerResults<String> flushed = admin.flushAll(Duration.ZERO);

            assertThat(flushed.answers()).containsOnlyKeys(address(other), address(embedded));
            assertThat(flushed.answers().keySet()).containsExactly(address(other), address(embedded));
            assertThat(flushed.failures()).containsOnlyKeys(address(gone), address(refusing));
            assertThat(flushed.failures().get(address(gone))).isInstanceOf(MemcachedConnectionException.class);
            assertThat(flushed.failures().get(address(refusing)))
                    .isInstanceOf(MemcachedServerException.class)
                    .hasMessageContaining("CLIENT_ERROR flush_all not allowed")
                    .hasMessageContaining("flush_all on " + address(refusing));
            assertThatExceptionOfType(MemcachedException.class).isThrownBy(flushed::answersOrThrow);
            assertThatIllegalStateException()
                    .isThrownBy(flushed::single)
                    .withMessage("single() requires one server, but 4 servers were queried: use answersOrThrow()");
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() ->
                            admin(Transport.EVENT_LOOP, address(gone)).version().single());
            assertThat(admin.version().answers()).containsEntry(address(refusing), "1.6.18");
        }
    }

    /** As twemproxy and memcached's proxy do. */
    @Test
    void serverThatClosesTheConnectionMayBeAProxy() {
        try (ScriptedServer server = ScriptedServer.start()
                .expectTimeout(LONG)
                .onConnection(c -> c.greet().expectLine("stats reset").cut())
                .onConnection(c -> {}) /* The client reconnects, perhaps just before the end. */) {
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> admin(Transport.EVENT_LOOP, address(server))
                            .resetStats()
                            .single())
                    .withMessageContaining("; if the server is a proxy, query the servers behind it: stats reset on ");
        }
    }

    @Test
    void silentServerTimesOutAndDelaysNoOtherServer() {
        try (ScriptedServer silent = ScriptedServer.start()
                .onConnection(c -> c.greet().replyTo(line -> line.equals("mn") ? "MN\r\n" : ""))) {
            Connection answering = connect(address(embedded), Transport.EVENT_LOOP);
            // Has its answer before the time under test begins, since a slow machine is no silent server.
            CommandSender prompt = new TimerlessSender() {
                @Override
                public <T> Reply<T> send(Command<T> command, SendMode mode) {
                    T answer = answering.call(command, LONG.toNanos());
                    return new Reply<>() {
                        @Override
                        public T await(long timeoutNanos) {
                            return answer;
                        }

                        @Override
                        public CompletableFuture<T> toFuture(Duration timeout) {
                            return CompletableFuture.completedFuture(answer);
                        }
                    };
                }
            };
            Map<ServerAddress, CommandSender> servers = new LinkedHashMap<>();
            servers.put(address(silent), connect(address(silent), Transport.EVENT_LOOP));
            servers.put(address(embedded), prompt);
            AdminClient admin = client(servers, Duration.ofMillis(100));
            ServerResults<Map<String, String>> stats = admin.stats();

            assertThat(stats.answers()).containsOnlyKeys(address(embedded));
            assertThat(stats.failures().get(address(silent))).isInstanceOf(MemcachedTimeoutException.class);
        }
    }

    @Test
    void illegalArgumentsAreRefused() {
        AdminClient admin = admin(Transport.EVENT_LOOP, address(embedded));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.flushAll(Duration.ofSeconds(-1)))
                .withMessageContaining("delay is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.verbosity(-1))
                .withMessageContaining("level is -1");
    }
}
