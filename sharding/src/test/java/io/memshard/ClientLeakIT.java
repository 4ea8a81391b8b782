// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.Transport;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hundred clients leave no more open than some did, whatever happened to their connections. */
@Timeout(300)
class ClientLeakIT {

    private static final int CLIENTS = 100;
    private static final int WARM_UP = 20;

    /** What the rest of this JVM may open in the meantime. */
    private static final int TOLERANCE = 10;

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ScriptedServer answering = ScriptedServer.start()
            .onConnection(c -> c.greet().replyTo(line -> line.equals("mn") ? "MN\r\n" : "EN\r\n"));
    private final ScriptedServer silent = ScriptedServer.start();
    private final ScriptedServer refusing = ScriptedServer.start().stopAccepting();
    private final ScriptedServer hangingUp = ScriptedServer.start().onConnection(c -> c.cut());
    private final List<AutoCloseable> fillers = new ArrayList<>();
    private ServerSocket neverAccepting;

    /** What a client meets. */
    private enum Fate {
        WORKS(LONG),
        IS_REFUSED(LONG),
        IS_HUNG_UP_ON(LONG),
        MEETS_SILENCE(Duration.ofMillis(20)),
        IS_NEVER_ACCEPTED(Duration.ofMillis(20));

        private final Duration connectTimeout;

        Fate(Duration connectTimeout) {
            this.connectTimeout = connectTimeout;
        }
    }

    @BeforeEach
    void fillTheBacklog() throws IOException {
        neverAccepting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        for (int i = 0; i < 8; i++) {
            SocketChannel filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(new InetSocketAddress(neverAccepting.getInetAddress(), neverAccepting.getLocalPort()));
            fillers.add(filler);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable filler : fillers) {
            filler.close();
        }
        neverAccepting.close();
        for (ScriptedServer server : List.of(answering, silent, refusing, hangingUp)) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsOpenedAndClosedLeaveNoThreadSocketOrDescriptor(Transport transport) {
        openAndClose(transport, WARM_UP);
        LeakCheck leaks = LeakCheck.start();
        LeakCheck ofAnyName = LeakCheck.start("");
        long descriptors = openDescriptors();

        openAndClose(transport, CLIENTS);
        leaks.assertNothingLeft();
        eventually("threads end", () -> ofAnyName.threadsSince().size() <= TOLERANCE);
        eventually("file descriptors are closed", () -> openDescriptors() <= descriptors + TOLERANCE);
    }

    /** Half of the clients wait for the result of their first commands; the others are closed at once. */
    private void openAndClose(Transport transport, int clients) {
        for (int i = 0; i < clients; i++) {
            Fate fate = Fate.values()[i % Fate.values().length];
            boolean waits = i / Fate.values().length % 2 == 0;
            CompletableFuture<byte[]> asked;
            try (Memshard memshard = Memshard.builder()
                    .servers("127.0.0.1:" + port(fate))
                    .requestTimeout(LONG)
                    .transport(transport)
                    .connectTimeout(fate.connectTimeout)
                    .connectionsPerServer(1)
                    .build()) {
                asked = memshard.asyncClient().get("key");
                if (waits) {
                    asked.handle((value, failure) -> value).join();
                    callUnlessItFails(memshard, fate);
                }
            }
            assertThat(asked).as("%s", fate).isDone();
        }
        eventually("closed", () -> answering.openConnections() + silent.openConnections() == 0);
    }

    private static void callUnlessItFails(Memshard memshard, Fate fate) {
        try {
            assertThat(memshard.client().get("key")).isNull();
            assertThat(fate).isEqualTo(Fate.WORKS);
        } catch (MemcachedException e) {
            assertThat(fate).isNotEqualTo(Fate.WORKS);
        }
    }

    private int port(Fate fate) {
        return switch (fate) {
            case WORKS -> answering.port();
            case IS_REFUSED -> refusing.port();
            case IS_HUNG_UP_ON -> hangingUp.port();
            case MEETS_SILENCE -> silent.port();
            case IS_NEVER_ACCEPTED -> neverAccepting.getLocalPort();
        };
    }

    /** Open file descriptors: sockets, event loops and everything else; 0 where the system does not tell. */
    private static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getOpenFileDescriptorCount()
                : 0;
    }
}
