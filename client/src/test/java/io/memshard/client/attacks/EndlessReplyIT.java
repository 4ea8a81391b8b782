// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionFixture;
import io.memshard.client.connection.EachTransport;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reply that never ends costs a bounded memory, and its caller no more than the request timeout. */
@EachTransport
@Timeout(300)
class EndlessReplyIT extends ConnectionFixture {

    private static final int MIB = 1 << 20;

    /** As much as the server has to send before the memory is measured: far more than the limit on it. */
    private static final long SENT = 40L * MIB;

    /** Statistics are kept up to 16 MiB; nothing else comes near. The rest is what this JVM needs meanwhile. */
    private static final long MOST_BYTES_HELD = 24L * MIB;

    private final Transport transport;

    EndlessReplyIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    /** The command, how its reply begins, and what follows again and again. */
    private enum Endless {
        VALUE((client, admin) -> client.get("a"), "VA 2147483647 f0 O$\r\n", "x".repeat(1024)),
        STATISTICS(
                (client, admin) -> admin.stats("settings").answersOrThrow(),
                "",
                "STAT #" + "x".repeat(2_000) + " " + "y".repeat(2_000) + "\r\n"),
        SHORT_STATISTICS(
                (client, admin) -> admin.stats("items").answersOrThrow(), "", "STAT # x\r\nSTAT # \r\nSTAT #\r\n");

        private final BiConsumer<MemcachedClient<String>, AdminClient> call;
        private final String beginning;
        private final String piece;

        Endless(BiConsumer<MemcachedClient<String>, AdminClient> call, String beginning, String piece) {
            this.call = call;
            this.beginning = beginning;
            this.piece = piece;
        }

        /** About 64 KiB in which each {@code #} is another number. */
        private String portion(long number) {
            StringBuilder portion = new StringBuilder();
            for (int i = 0; portion.length() < 1 << 16; i++) {
                portion.append(piece.replace("#", number + "." + i));
            }
            return portion.toString();
        }
    }

    private final AtomicLong sent = new AtomicLong();
    private ScriptedServer server;
    private Connection connection;

    /** Whether the server answers commands without end. */
    private volatile boolean endlessly;

    private void open(Endless endless) {
        server = scriptedServer()
                .onConnection(c -> c.replyTo(line -> {
                    if (endlessly && !line.equals("mn") && !line.equals(PROBE)) {
                        send(endless, c, line);
                    }
                    return replyTo(line);
                }));
        endlessly = false;
        connection = connect(server);
        returnsInTheEnd("value of a", () -> connection.call(get("a"), LONG_NANOS));
        sent.set(0);
        endlessly = true;
    }

    private void send(Endless endless, ScriptedConnection to, String line) {
        try {
            to.send(endless.beginning.replace("$", line.contains(" O") ? opaque(line) : ""));
            String same = endless.piece.contains("#") ? "" : endless.portion(0);
            for (long number = 0; ; number++) {
                String portion = same.isEmpty() ? endless.portion(number) : same;
                to.send(portion);
                sent.addAndGet(portion.length());
            }
        } catch (UncheckedIOException e) {
            // The client has closed it.
        }
    }

    /** The caller does not wait for the end. */
    private void callFails(Endless endless) {
        assertThatExceptionOfType(MemcachedException.class)
                .isThrownBy(() -> endless.call.accept(
                        Clients.blocking(connection, Transcoder.utf8(), MIB, SHORT),
                        Clients.admin(Map.of(address(server), connection), SHORT)));
    }

    /** Half of them over each transport. */
    @Test
    void callEndsAndMemoryIsBounded() {
        settings.livenessTimeout = Duration.ofMinutes(5);
        for (Endless endless : Endless.values()) {
            if (transport == Transport.EVENT_LOOP == (endless.ordinal() % 2 == 0)) {
                open(endless);
                long before = heldBytes();
                callFails(endless);
                eventually(endless + " sent, or closed", () -> sent.get() > SENT || server.connections() > 1);
                assertThat(heldBytes() - before).as("%s: bytes held", endless).isLessThan(MOST_BYTES_HELD);
                connection.close();
            }
        }
    }

    /** Although bytes come all the time. */
    @Test
    void connectionIsReplaced() {
        settings.livenessTimeout = SHORT;
        open(Endless.VALUE);
        callFails(Endless.VALUE);
        endlessly = false;
        returnsInTheEnd("value of a", () -> connection.call(get("a"), LONG_NANOS));
        assertThat(server.connections()).isGreaterThan(1);
    }

    /** As of the end of the collection: afterwards the bytes on their way soon make garbage. */
    private static long heldBytes() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }
}
