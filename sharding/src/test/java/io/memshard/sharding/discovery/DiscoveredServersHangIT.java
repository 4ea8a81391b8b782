// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static io.memshard.testkit.Eventually.eventually;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.Topology;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers come and go in a file that is watched, and some answer greetings and nothing else for a while. */
@Tag("deep")
@Timeout(120)
class DiscoveredServersHangIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** Of callers that have a server ejected. */
    private static final Duration SHORT = Duration.ofMillis(200);

    private static final int KEYS = 200;
    private static final int THREADS = 3;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<EmbeddedMemcached> healthy = new ArrayList<>();
    private final List<ScriptedServer> ill = new ArrayList<>();
    private final Set<Integer> hanging = ConcurrentHashMap.newKeySet();
    private final Set<Integer> ejected = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong hits = new AtomicLong();

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void startServers() {
        file = directory.resolve("servers.txt");
        for (int i = 0; i < 3; i++) {
            EmbeddedMemcached server = EmbeddedMemcached.start();
            healthy.add(server);
            try (Memshard filling = Memshard.builder()
                    .servers("127.0.0.1:" + server.port())
                    .requestTimeout(LONG)
                    .build()) {
                MemcachedClient<String> client = filling.client(Transcoder.utf8());
                IntStream.range(0, KEYS).forEach(k -> client.set("key" + k, "value" + k, Duration.ofHours(1)));
            }
        }
        for (int i = 0; i < 2; i++) {
            ScriptedServer server = ScriptedServer.start();
            ill.add(server.onConnection(each -> each.greet().replyTo(line -> reply(server.port(), line))));
        }
    }

    @AfterEach
    void stopServers() {
        healthy.forEach(EmbeddedMemcached::close);
        ill.forEach(ScriptedServer::close);
    }

    private String reply(int port, String line) {
        if (line.equals("mn")) {
            return "MN\r\n";
        }
        return hanging.contains(port) ? "" : "EN\r\n";
    }

    private int well(int index) {
        return healthy.get(index).port();
    }

    private int ill(int index) {
        return ill.get(index).port();
    }

    /** Has the file list these, and waits until the client has them. */
    private void list(Memshard memshard, int... ports) throws IOException {
        list(ports);
        Set<Integer> wanted = IntStream.of(ports).boxed().collect(Collectors.toSet());
        eventually("listed", () -> ports(memshard).equals(wanted));
    }

    private void list(int... ports) throws IOException {
        Path next = directory.resolve("next.txt");
        Files.write(
                next, IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).toList());
        Files.move(next, file, ATOMIC_MOVE);
    }

    private static Set<Integer> ports(Memshard memshard) {
        return memshard.topology().servers().stream()
                .map(server -> server.address().port())
                .collect(Collectors.toSet());
    }

    private ConnectionListener recording() {
        return new ConnectionListener() {
            @Override
            public void serverStateChanged(ServerStatus before, ServerStatus now) {
                if (before.state() == ServerState.UP) {
                    ejected.add(now.server().port());
                }
            }
        };
    }

    private static int portOf(Memshard memshard, String key) {
        return memshard.serverOf(key).address().port();
    }

    private boolean isWell(int port) {
        return healthy.stream().anyMatch(server -> server.port() == port);
    }

    /** A get is to succeed if its key is one of a healthy server before and after it, with one change between. */
    private void readWell(Memshard memshard, Random random) {
        MemcachedClient<String> client = memshard.client(Transcoder.utf8());
        while (!stopped.get()) {
            int number = random.nextInt(KEYS);
            String key = "key" + number;
            Topology before = memshard.topology();
            if (isWell(portOf(memshard, key))) {
                Throwable failure = null;
                try {
                    assertThat(client.get(key)).isEqualTo("value" + number);
                    hits.incrementAndGet();
                } catch (MemcachedException | AssertionError e) {
                    failure = e;
                }
                boolean isStillWell = isWell(portOf(memshard, key));
                if (failure != null && isStillWell && memshard.topology().version() - before.version() <= 1) {
                    failures.add(failure);
                }
            }
        }
    }

    private void readIll(Memshard memshard, Random random) {
        MemcachedClient<String> client = memshard.client(Transcoder.utf8()).withTimeout(SHORT);
        while (!stopped.get()) {
            String key = "key" + random.nextInt(KEYS);
            try {
                if (!isWell(portOf(memshard, key))) {
                    client.get(key);
                }
                Thread.sleep(1); // Leaves the processors to the others.
            } catch (MemcachedException | InterruptedException e) {
                // Which is what ejects it.
            }
        }
    }

    private void awaitHits() {
        long before = hits.get();
        eventually("hits", () -> hits.get() >= before + 500);
    }

    private void await(Memshard memshard, int port, boolean up) {
        eventually(
                up ? "taken back" : "ejected",
                () -> memshard.serverStatuses().stream()
                        .anyMatch(each -> each.server().port() == port && (each.state() == ServerState.UP) == up));
        awaitHits();
    }

    @Test
    void getsOfHealthyServersSucceedWhileOthersHangComeAndGo() throws Exception {
        hanging.add(ill(0));
        hanging.add(ill(1));
        list(well(0), well(1), ill(0));
        ServerSource source = ServerSource.file(file, Duration.ofMillis(20));
        try (Memshard memshard = Memshard.builder()
                .discovery(new Discovery(source, Duration.ofMillis(60), LONG))
                .protocol(Protocol.META)
                .requestTimeout(LONG)
                .listener(recording())
                .build()) {
            List<Thread> threads = IntStream.range(0, THREADS)
                    .mapToObj(Random::new)
                    .flatMap(random -> Stream.of(
                            new Thread(() -> readWell(memshard, random)), new Thread(() -> readIll(memshard, random))))
                    .toList();
            threads.forEach(Thread::start);
            try {
                await(memshard, ill(0), false);
                list(memshard, well(0), well(1), well(2), ill(0), ill(1));
                await(memshard, ill(1), false);
                list(memshard, well(0), well(2), ill(1));
                awaitHits();
                hanging.remove(ill(1));
                await(memshard, ill(1), true);
                hanging.remove(ill(0));
                list(memshard, well(0), well(1), well(2), ill(0), ill(1));
                await(memshard, ill(0), true);
                hanging.add(ill(0));
                await(memshard, ill(0), false);
                list(memshard, well(1), well(2));
                awaitHits();
            } finally {
                stopped.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(failures).isEmpty();
            assertThat(ejected).containsExactlyInAnyOrder(ill(0), ill(1));
            assertThat(memshard.serverStatuses()).allMatch(status -> status.state() == ServerState.UP);
        }
        stopServers();
        leaks.assertNothingLeft();
    }
}
