// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One of two servers misbehaves: it is ejected, and stays away while it does not get better. */
@Timeout(120)
class MisbehavingServerIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int CALLERS = 4;

    private static final String MISS = "EN\r\n";

    private enum Trick {
        GREETS(number -> ""),
        FIRST_ONLY(number -> number == 1 ? MISS : ""),
        ONE_OF_TWENTY(number -> number % 20 == 0 ? MISS.repeat(20) : ""),
        RESETS(number -> MISS);

        /** To the command of this number on its connection. */
        private final IntFunction<String> reply;

        Trick(IntFunction<String> reply) {
            this.reply = reply;
        }
    }

    private final LeakCheck leaks = LeakCheck.start();
    private final Set<ScriptedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean refusing = new AtomicBoolean();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger ejections = new AtomicInteger();
    private final AtomicInteger takenBack = new AtomicInteger();

    private void serve(Trick trick, ScriptedConnection connection) {
        if (refusing.get()) {
            connection.reset();
            return;
        }
        open.add(connection);
        AtomicInteger number = new AtomicInteger();
        connection.greet().replyTo(line -> line.equals("mn") ? "MN\r\n" : trick.reply.apply(number.incrementAndGet()));
    }

    private void reset() {
        while (!stopped.get()) {
            try {
                Thread.sleep(100); // The time between resets.
            } catch (InterruptedException e) {
                return;
            }
            refusing.set(!refusing.get());
            open.forEach(MisbehavingServerIT::resetUnlessClosed);
            open.clear();
        }
    }

    private static void resetUnlessClosed(ScriptedConnection connection) {
        try {
            connection.reset();
        } catch (UncheckedIOException e) {
            // The client was first.
        }
    }

    /** With 400 ms, callers wait for longer than the time without a connection that counts as a failure. */
    @ParameterizedTest
    @CsvSource({"ONE_OF_TWENTY, 100", "RESETS, 100", "GREETS, 400", "FIRST_ONLY, 400"})
    void isEjectedAndStaysAway(Trick trick, int timeoutMillis) throws Exception {
        try (EmbeddedMemcached healthy = EmbeddedMemcached.start();
                ScriptedServer server = ScriptedServer.start().onConnection(each -> serve(trick, each));
                Memshard memshard = Memshard.builder()
                        .servers("127.0.0.1:" + server.port() + ", 127.0.0.1:" + healthy.port())
                        .protocol(Protocol.META)
                        .serverDown(ServerDownPolicy.MISS)
                        .requestTimeout(Duration.ofMillis(timeoutMillis)) // What is tested.
                        .probeDelay(Duration.ofMillis(20), Duration.ofMillis(200))
                        .listener(counting())
                        .build()) {
            List<Thread> threads = callers(memshard, server.port());
            if (trick == Trick.RESETS) {
                threads.add(new Thread(this::reset));
            }
            threads.forEach(Thread::start);
            try {
                MemcachedClient<String> other =
                        memshard.client(Transcoder.utf8()).withTimeout(LONG);
                String key = Fleet.keyOf(memshard, healthy.port());
                other.set(key, "v", Duration.ofHours(1));
                eventually("ejected", () -> "v".equals(other.get(key)) && ejections.get() > 0);
                if (trick != Trick.RESETS) {
                    int before = server.connections();
                    eventually("some probes, each on a connection", () -> server.connections() >= before + 3);
                    assertThat(takenBack).as("probes are not answered").hasValue(0);
                }
            } finally {
                stopped.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
        leaks.assertNothingLeft();
    }

    /** It is there, and callers are to learn that their password is wrong. */
    @Test
    void isNotEjectedWhereItRefusesCredentials() throws Exception {
        try (EmbeddedMemcached refusing =
                        EmbeddedMemcached.builder().user("alice", "another").start();
                EmbeddedMemcached healthy =
                        EmbeddedMemcached.builder().user("alice", "secret").start();
                Memshard memshard = Fleet.patient()
                        .servers("127.0.0.1:" + refusing.port() + ", 127.0.0.1:" + healthy.port())
                        .credentials("alice", "secret")
                        .ejectAfter(2)
                        .listener(counting())
                        .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            assertThat(client.get(Fleet.keyOf(memshard, healthy.port()))).isNull();
            String key = Fleet.keyOf(memshard, refusing.port());
            eventually("refused", () -> isRefused(client, key));
            eventually(
                    "longer than others have until they are ejected",
                    () -> memshard.serverStatuses().get(0).state() == ServerState.UNREACHABLE);
            assertThat(memshard.serverStatuses().get(0).reason()).contains("refused the credentials");
            assertThat(isRefused(client, key)).isTrue();
            assertThat(ejections).hasValue(0);
        }
        leaks.assertNothingLeft();
    }

    private static boolean isRefused(MemcachedClient<String> client, String key) {
        try {
            client.get(key);
            return false;
        } catch (MemcachedException e) {
            return e instanceof MemcachedAuthenticationException;
        }
    }

    private ConnectionListener counting() {
        return new ConnectionListener() {
            @Override
            public void serverStateChanged(ServerStatus before, ServerStatus now) {
                if (now.state() == ServerState.EJECTED) {
                    ejections.incrementAndGet();
                }
                if (now.state() == ServerState.UP) {
                    takenBack.incrementAndGet();
                }
            }
        };
    }

    /** Threads that read keys of the server with this port. */
    private List<Thread> callers(Memshard memshard, int port) {
        MemcachedClient<String> client = memshard.client(Transcoder.utf8());
        String key = Fleet.keyOf(memshard, port);
        return IntStream.range(0, CALLERS)
                .mapToObj(i -> new Thread(() -> {
                    while (!stopped.get()) {
                        try {
                            client.get(key);
                            Thread.sleep(5); // Callers do something else too.
                        } catch (MemcachedException | InterruptedException e) {
                            // Which is what ejects it.
                        }
                    }
                }))
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
