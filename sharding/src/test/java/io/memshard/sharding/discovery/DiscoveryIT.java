// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ring.Server;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that the DNS moves, adds and takes away while threads use them. Each has two addresses. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class DiscoveryIT {

    private static final String SERVICE = "_memcached._tcp.example";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int SERVERS = 3;
    private static final int KEYS = 300;
    private static final int THREADS = 8;

    private final ScriptedDns dns = ScriptedDns.start().ttl(0);
    private final List<MemcachedProcess> memcacheds = new ArrayList<>();

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong commands = new AtomicLong();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void startServers() {
        for (int i = 0; i < SERVERS; i++) {
            memcacheds.add(MemcachedProcess.start("-l", "127.0.0.2"));
            dns.addresses(pod(i), "127.0.0.1");
        }
        list(0, 1, 2);
    }

    @AfterEach
    void stopServers() {
        memcacheds.forEach(MemcachedProcess::close);
        dns.close();
    }

    private static String pod(int index) {
        return "memcached-" + index + ".example";
    }

    /** Has the DNS list these. */
    private void list(int... pods) {
        dns.services(
                SERVICE,
                Arrays.stream(pods)
                        .mapToObj(i -> "0 0 " + memcacheds.get(i).port() + " " + pod(i))
                        .toArray(String[]::new));
    }

    private static Stream<String> addresses(Memshard memshard) {
        return memshard.topology().servers().stream()
                .map(server -> server.address().host());
    }

    private static List<Thread> start(Consumer<Random> task) {
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> task.accept(new Random(i)), "load-" + i))
                .toList();
        threads.forEach(Thread::start);
        return threads;
    }

    /** Each value is its key: after a change it may be missing, and never another's. */
    private void load(MemcachedClient<String> cache, Random random) {
        while (!stopped.get()) {
            String key = "load:" + random.nextInt(1000);
            try {
                cache.set(key, key, DAY);
                String value = cache.get(key);
                if (value != null && !value.equals(key)) {
                    failures.add(new AssertionError(key + " has the value " + value));
                }
            } catch (RuntimeException e) {
                failures.add(e);
            }
            commands.addAndGet(2);
        }
    }

    /** Waits until some more commands have ended. */
    private void awaitCommands() {
        long before = commands.get();
        eventually("commands", () -> commands.get() >= before + 200);
    }

    private static long hits(MemcachedClient<String> cache) {
        return IntStream.range(0, KEYS)
                .filter(i -> ("value " + i).equals(cache.get("key:" + i)))
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, SERVERS})
    void anotherAddressIsFoundSoonAfterAServerIsDown(int servers) throws Exception {
        LeakCheck leaks = LeakCheck.start();
        IntStream.range(0, SERVERS).forEach(i -> dns.addresses(pod(i), "127.0.0.2"));
        list(IntStream.range(0, servers).toArray());
        Duration period = Duration.ofSeconds(20);
        DnsSource source =
                DnsSource.services(SERVICE).withNameServers(dns.address()).withPeriod(period, period);
        try (Memshard memshard = Memshard.builder()
                .discovery(new Discovery(source))
                .requestTimeout(LONG)
                .build()) {
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            String key = IntStream.range(0, 1_000)
                    .mapToObj(i -> "key" + i)
                    .filter(each -> memshard.serverOf(each).address().port()
                            == memcacheds.get(0).port())
                    .findFirst()
                    .orElseThrow();
            cache.set(key, "v", DAY);
            memcacheds.get(0).kill();
            dns.addresses(pod(0), "127.0.0.3");
            // By the period, the next look would come after 20 seconds.
            eventually("it is known", Duration.ofSeconds(15), () -> {
                try {
                    cache.get(key);
                } catch (MemcachedException e) {
                    return addresses(memshard).anyMatch("127.0.0.3"::equals);
                }
                return false;
            });
        }
        leaks.assertNothingLeft();
    }

    @Test
    @Tag("deep")
    void serversAreFollowedUnderLoadAndNoCommandFails() throws Exception {
        LeakCheck leaks = LeakCheck.start();
        DnsSource source = DnsSource.services(SERVICE)
                .withNameServers(dns.address())
                .withPeriod(Duration.ofMillis(20), Duration.ofMillis(50));
        try (Discovery discovery = new Discovery(source, Duration.ofMillis(60), LONG);
                Memshard memshard = Memshard.builder()
                        .servers(discovery.awaitServers(LONG))
                        .requestTimeout(LONG)
                        .build()) {
            discovery.onChange(memshard::replace);
            MemcachedClient<String> cache = memshard.client(Transcoder.utf8());
            for (int i = 0; i < KEYS; i++) {
                cache.set("key:" + i, "value " + i, DAY);
            }
            List<Thread> threads = start(random -> load(cache, random));
            awaitCommands();

            dns.addresses(pod(1), "127.0.0.2");
            eventually("it has moved", () -> addresses(memshard).anyMatch("127.0.0.2"::equals));
            awaitCommands();
            assertThat(hits(cache)).as("no key has moved").isEqualTo(KEYS);

            for (ScriptedDns.Mood mood : List.of(ScriptedDns.Mood.SERVFAIL, ScriptedDns.Mood.EMPTY)) {
                long before = discovery.status().failures();
                dns.mood(mood);
                eventually("it has failed", () -> discovery.status().failures() > before);
            }
            assertThat(memshard.topology().servers()).hasSize(SERVERS);
            dns.mood(ScriptedDns.Mood.ANSWER);

            list(0, 1);
            eventually("one has left", () -> memshard.topology().servers().size() == 2);
            awaitCommands();
            assertThat(hits(cache)).as("only its keys have moved").isBetween(1L, KEYS - 1L);
            list(0, 1, 2);
            eventually("it is back", () -> memshard.topology().servers().size() == SERVERS);
            awaitCommands();
            assertThat(hits(cache)).as("each key is where it was").isEqualTo(KEYS);

            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(memshard.topology().servers())
                    .extracting(Server::name)
                    .containsExactly(IntStream.range(0, SERVERS)
                            .mapToObj(i -> pod(i) + ":" + memcacheds.get(i).port())
                            .toArray(String[]::new));
        } finally {
            stopped.set(true);
        }
        leaks.assertNothingLeft();
    }
}
