// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.helpers.NOPLogger;

/** A name with several addresses, of which some are dead. */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, CLASSIC", "AUTO, AUTO"})
@Timeout(120)
class AddressesIT extends ConnectionFixture {

    private static final ServerAddress NAME = new ServerAddress("cache.example.com", 11211);

    private enum Dead {
        /** It swallows packets. */
        LOST,
        /** It accepts, and says nothing. */
        SILENT,
        /** There is nobody. */
        REFUSING
    }

    private final Transport transport;
    private final List<SocketAddress> addresses = Collections.synchronizedList(new ArrayList<>());

    AddressesIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        this.transport = transport;
    }

    private SocketAddress dead(Dead how) throws IOException {
        return switch (how) {
            case LOST -> lostAddress();
            case SILENT -> scriptedServer().address();
            case REFUSING -> scriptedServer().stopAccepting().address();
        };
    }

    private ScriptedServer living() {
        return answeringServer();
    }

    private Connection connect() {
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(
                options(), 1, null, new PerServer.Environment(server -> List.copyOf(addresses), NOPLogger.NOP_LOGGER)));
        return connect(group, NAME);
    }

    /** The first call and future, which may have two sockets, do not fail, so one attempt was enough. */
    private void servesWithinOneAttempt(Connection connection) {
        CompletableFuture<String> future = future(connection, get("a"));

        works(connection);
        assertThat(result(future)).isEqualTo("value of a");
    }

    @Test
    void deadAddressesBeforeALivingOneCostNoAttempt() throws IOException {
        settings.connectTimeout = Duration.ofSeconds(6); // Each dead address costs a third of it.
        ScriptedServer silent = scriptedServer();
        addresses.add(dead(Dead.LOST));
        addresses.add(silent.address());
        addresses.add(dead(Dead.REFUSING));
        addresses.add(living().address());
        servesWithinOneAttempt(connect());

        eventually("closed", () -> silent.openConnections() == 0);
    }

    @Test
    void anotherAddressServesWhereTheOneThatWorkedLastDies() {
        ScriptedServer first = living();
        ScriptedServer second = living();
        addresses.add(first.address());
        Connection connection = connect();
        servesWithinOneAttempt(connection);
        addresses.add(second.address());
        int links = first.connections();
        first.stopAccepting();
        IntStream.range(0, links).forEach(i -> cut(first, i));
        noticeLoss(connection);
        eventually("opened at the other", () -> second.connections() >= links);
        worksAgain(connection);

        first.resumeAccepting();
        second.stopAccepting();
        IntStream.range(0, second.connections()).forEach(i -> cut(second, i));
        noticeLoss(connection);
        eventually("opened at the first again", () -> first.connections() > links);
        worksAgain(connection);
    }

    /** As a round robin of DNS: each resolution begins with another address. */
    private List<SocketAddress> rotated() {
        synchronized (addresses) {
            Collections.rotate(addresses, 1);
            return List.copyOf(addresses);
        }
    }

    @Test
    void allSocketsOfAClientGoToOneAddressAlsoAfterALoss() {
        List<ScriptedServer> servers = List.of(living(), living(), living());
        servers.forEach(each -> addresses.add(each.address()));
        RecordedLog log = new RecordedLog();
        ConnectionGroup group = closedAfterwards(
                new ConnectionGroup(options(), 1, null, new PerServer.Environment(server -> rotated(), log.logger())));
        List<Connection> connections = IntStream.range(0, 3)
                .mapToObj(i -> group.newConnection(NAME, i, transport))
                .toList();
        List<CompletableFuture<String>> first =
                connections.stream().map(each -> future(each, get("a"))).toList();
        connections.forEach(ConnectionFixture::works);
        first.forEach(each -> assertThat(result(each)).isEqualTo("value of a"));
        ScriptedServer used = onlyOneInUse(servers);

        IntStream.range(0, used.connections()).forEach(i -> cut(used, i));
        connections.forEach(ConnectionFixture::noticeLoss);
        connections.forEach(each -> {
            worksAgain(each);
            eventually("futures too", () -> result(future(each, get("a")).exceptionally(e -> null)) != null);
        });
        onlyOneInUse(servers);
        assertThat(log.lines())
                .filteredOn(line -> line.contains("DnsSource"))
                .singleElement()
                .asString()
                .contains("WARN");
    }

    private static ScriptedServer onlyOneInUse(List<ScriptedServer> servers) {
        eventually(
                "one",
                () -> servers.stream()
                                .filter(each -> each.openConnections() > 0)
                                .count()
                        == 1);
        return servers.stream()
                .filter(each -> each.openConnections() > 0)
                .findAny()
                .orElseThrow();
    }

    @Test
    void failureNamesItsAddress() throws IOException {
        settings.connectTimeout = SHORT;
        SocketAddress refusing = dead(Dead.REFUSING);
        addresses.add(refusing);
        addresses.add(dead(Dead.SILENT));

        assertThat(failedCall(connect()))
                .hasMessageContaining("cannot connect to " + NAME)
                .hasMessageContaining("refused")
                .hasMessageContaining(refusing + ", one of 2 addresses");
    }
}
