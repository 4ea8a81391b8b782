// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.LinkContext;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.helpers.NOPLogger;

/** How long it is remembered that a server speaks classic. */
@Timeout(120)
class HandshakeIT extends ConnectionFixture {

    HandshakeIT() {
        super(Transport.CALLER_DRIVEN, Protocol.AUTO);
    }

    private final ScriptedServer server = scriptedServer();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final LinkContext context = new LinkContext(address(server), 0, ConnectionOptions.DEFAULTS, Protocol.AUTO);
    private final SocketBudget budget = new SocketBudget(ConnectionOptions.DEFAULTS.longestReconnectDelay(), now.get());
    private final CallerDrivenOpener opener = closedAfterwards(new CallerDrivenOpener());
    private final Handshake handshake = new Handshake(
            context,
            opener,
            (link, cause) -> {},
            new Handshake.Dependencies(
                    AddressResolver.SYSTEM,
                    Runnable::run,
                    budget,
                    new ServerLog(context.server(), NOPLogger.NOP_LOGGER, now::get),
                    now::get,
                    new AddressOrder()));

    private static void refuseMeta(ScriptedConnection c) {
        c.replyTo(line -> line.startsWith("m") ? "ERROR\r\n" : "END\r\n");
    }

    private void connect() throws IOException, InterruptedException {
        handshake.open(System.nanoTime() + LONG_NANOS).close();
    }

    @Test
    void classicIsRememberedForTenMinutes() throws Exception {
        server.onConnection(HandshakeIT::refuseMeta);
        connect();
        assertThat(server.connections()).isEqualTo(2);

        now.addAndGet(Duration.ofMinutes(10).toNanos() - 1);
        connect();
        assertThat(received(server, 2)).isEqualTo("get memshard:probe\r\n");
        assertThat(server.connections()).isEqualTo(3);

        now.incrementAndGet();
        connect();
        assertThat(received(server, 3)).isEqualTo(META_PROBE + "1\r\nmn\r\n");
        assertThat(server.connections()).isEqualTo(5);
    }

    /** As twemproxy does. */
    private static void hangUpOnMeta(ScriptedConnection c) {
        c.replyTo(line -> {
            if (line.startsWith("m")) {
                c.cut();
            }
            return "END\r\n";
        });
    }

    @Test
    void findingOutTakesOneSocketOfTheBudget() throws Exception {
        server.onConnection(HandshakeIT::hangUpOnMeta);
        for (int i = 1; i < SocketBudget.burst(1); i++) {
            handshake.forget();
            connect();
            assertThat(server.connections()).isEqualTo(5 * i);
            assertThat(budget.waitNanos(now.get())).isZero();
        }
        connect();
        assertThat(budget.waitNanos(now.get())).isPositive();
    }

    @Test
    void attemptThatFailsTakesEachSocketOfTheBudget() {
        server.onConnection(c -> c.replyTo(line -> {
            if (line.startsWith("m") || c.index() == 4) {
                c.cut();
            }
            return "END\r\n";
        }));
        assertThatIOException().isThrownBy(this::connect);
        assertThat(server.connections()).isEqualTo(5);

        for (int left = SocketBudget.burst(1) - 5; left > 0; left--) {
            assertThat(budget.waitNanos(now.get())).isZero();
            budget.take(now.get());
        }
        assertThat(budget.waitNanos(now.get())).isPositive();
    }
}
