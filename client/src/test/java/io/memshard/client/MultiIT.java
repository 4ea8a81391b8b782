// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.ClientVariant.Calls;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.connection.Connection;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations on many keys where servers and networks fail: each key is accounted for, none wrongly. */
@Timeout(120)
@ParameterizedClass
@MethodSource("transportsAndCalls")
class MultiIT extends ScriptedFixture {

    /** As many parts of one operation are in flight on a connection; see {@code MultiCall}. */
    private static final int MAX_PARTS_IN_FLIGHT = 8;

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MAX_VALUE_BYTES = 1024 * 1024;

    @Parameter(0)
    private Transport transport;

    @Parameter(1)
    private Calls calls;

    private int maxInFlight = 1024;
    private Protocol protocol = Protocol.AUTO;
    private Duration timeout = LONG;
    private Connection connection;

    static Stream<Arguments> transportsAndCalls() {
        return Stream.of(Transport.EVENT_LOOP, Transport.CALLER_DRIVEN)
                .flatMap(transport -> Stream.of(Calls.values()).map(calls -> Arguments.of(transport, calls)));
    }

    private MemcachedClient<String> clientOf(InetSocketAddress address) {
        ConnectionOptions options = PatientOptions.with(protocol);
        options.maxInFlight = maxInFlight;
        options.maxValueBytes = MAX_VALUE_BYTES;
        options.reconnectDelay = new Backoff(Duration.ofMillis(5), Duration.ofMillis(20));
        connection = connect(address.getAddress().getHostAddress(), address.getPort(), transport, options);
        return calls.client(connection, Transcoder.utf8(), MAX_VALUE_BYTES, timeout);
    }

    private static Map<String, String> values(int count) {
        Map<String, String> values = new LinkedHashMap<>();
        IntStream.range(0, count).forEach(i -> values.put("key" + i, "value of key" + i));
        return values;
    }

    @Test
    void multiOperationIsNotRefusedByItsOwnCommandsInFlight() {
        for (int limit : new int[] {1, 3, 1024}) {
            maxInFlight = limit;
            EmbeddedMemcached embedded = closedAfterwards(EmbeddedMemcached.start());
            MemcachedClient<String> client = clientOf(embedded.address());
            Map<String, String> values = values(limit == 1024 ? 3_000 : 1_000);

            assertThat(client.multiSet(values, HOUR).doneOrThrow()).isEqualTo(values.keySet());
            assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);
            assertThat(client.multiDelete(values.keySet()).doneOrThrow()).isEqualTo(values.keySet());
            assertThat(connection.inFlight()).isZero();
        }
    }

    @Test
    void moreKeysThanFitInFlightAreLoadedAndStored() {
        maxInFlight = 150;
        MemcachedClient<String> client =
                clientOf(closedAfterwards(EmbeddedMemcached.start()).address());
        Map<String, String> values = values(1_000);
        assertThat(client.multiGetOrLoad(values.keySet(), HOUR, keys -> keys.size() == 1_000 ? values : Map.of())
                        .hitsOrThrow())
                .isEqualTo(values);
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);
    }

    @Test
    void refusedQuietStoresAreFoundByASecondAttempt() {
        AtomicInteger loud = new AtomicInteger();
        server.onConnection(c -> answer(c, request -> {
            if (request.key().endsWith("7")) {
                return "SERVER_ERROR out of memory storing object\r\n";
            }
            if (request.isQuiet()) {
                return "";
            }
            loud.incrementAndGet();
            return "HD #\r\n";
        }));
        MultiWriteResult result = clientOf(server.address()).multiSet(values(230), HOUR);

        assertThat(result.failures()).hasSize(23);
        result.failures().forEach((key, failure) -> {
            assertThat(key).endsWith("7");
            assertThat(failure)
                    .isInstanceOf(MemcachedServerException.class)
                    .hasMessageContaining("out of memory storing object")
                    .hasMessageContaining("\"" + key + "\"");
            assertThat(failure.isSafeToRetry()).isFalse();
        });
        assertThat(result.done()).hasSize(207).noneMatch(key -> key.endsWith("7"));
        assertThat(loud).hasValue(207);
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void errorAmongTheRepliesToAMultiGetFailsTheKeysWithoutValue() {
        server.onConnection(c -> c.greet().replyTo(line -> switch (line) {
            case "mn" -> "MN\r\n";
            case "get a b c d e f g h i" -> "VALUE a 0 1\r\nA\r\nSERVER_ERROR out of memory writing get response\r\n";
            default -> "ERROR\r\n";
        }));
        List<String> keys = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i");
        MultiGetResult<String> result = clientOf(server.address()).multiGet(keys);

        assertThat(result.hits()).isEqualTo(Map.of("a", "A"));
        assertThat(result.misses()).isEmpty();
        assertThat(result.failures()).containsOnlyKeys(keys.subList(1, 9));
        assertThat(result.failures().get("c"))
                .isInstanceOf(MemcachedServerException.class)
                .hasMessageContaining("may be about another key");
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void errorForOneOfFewKeysFailsThatKey() {
        server.onConnection(c -> c.greet().replyTo(line -> switch (line.split(" ")[1]) {
            case "p:a" -> "VA 1 f0" + line.substring(line.lastIndexOf(' ')) + "\r\nA\r\n";
            case "p:b" -> "SERVER_ERROR out of memory writing get response\r\n";
            default -> "EN\r\n";
        }));
        MemcachedClient<String> client = clientOf(server.address()).withKeyPrefix("p:");
        MultiGetResult<String> result = client.multiGet(List.of("a", "b", "c"));

        assertThat(result.hits()).isEqualTo(Map.of("a", "A"));
        assertThat(result.misses()).containsExactly("c");
        assertThat(result.failures()).containsOnlyKeys("b");
        assertThat(result.failures().get("b"))
                .isInstanceOf(MemcachedServerException.class)
                .hasMessageContaining("the server answered SERVER_ERROR out of memory writing get response")
                .hasMessageNotContaining("or another");
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void connectionThatIsCutFailsTheKeysWithoutReplyOnly() {
        AtomicInteger replies = new AtomicInteger();
        server.onConnection(c -> answer(c, request -> {
            if (c.index() == 0 && replies.incrementAndGet() == 150) {
                c.cut();
            }
            return "HD #\r\n";
        }));
        List<String> keys = new ArrayList<>(values(1_000).keySet());
        MultiWriteResult result = clientOf(server.address()).multiDelete(keys);

        assertThat(result.misses()).isEmpty();
        assertThat(result.done().size() + result.failures().size()).isEqualTo(1_000);
        assertThat(result.done())
                .as("none of a part that was not replied to")
                .doesNotContainAnyElementsOf(keys.subList(100, 200));
        assertThat(result.failures())
                .as("the second part")
                .containsKeys(keys.subList(100, 200).toArray(new String[0]));
        assertThat(result.failures().values())
                .allSatisfy(e -> assertThat(e).isInstanceOf(MemcachedConnectionException.class));
        assertThat(result.failures().get("key100").isSafeToRetry()).isFalse();
    }

    @Test
    void multiOperationTimesOutWhenTheNetworkIsDead() throws IOException {
        timeout = Duration.ofMillis(100);
        EmbeddedMemcached embedded = closedAfterwards(EmbeddedMemcached.start());
        FaultProxy proxy = closedAfterwards(new FaultProxy(embedded.address()));
        MemcachedClient<String> client = clientOf(proxy.address());
        Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, LONG).set("key0", "value", HOUR);
        proxy.stall(true);

        MultiWriteResult result = client.multiSet(values(2_000), HOUR);

        assertThat(result.done()).isEmpty();
        assertThat(result.failures()).hasSize(2_000);
        assertThat(result.failures().values())
                .allSatisfy(e -> assertThat(e).isInstanceOf(MemcachedTimeoutException.class));
        assertThat(result.failures().get("key1999").isSafeToRetry())
                .as("not sent")
                .isTrue();
        proxy.stall(false);
    }

    private static void assertEachOfItsOwnKey(
            Map<String, MemcachedException> failures, Set<String> keys, String verb, boolean isSafeToRetry) {
        assertThat(failures.keySet()).isEqualTo(keys);
        failures.forEach((key, failure) -> {
            assertThat(failure).hasMessageContaining(": " + verb + " \"" + key + "\" on ");
            assertThat(failure.context()).extracting(CommandContext::key).isEqualTo(key);
            assertThat(failure.isSafeToRetry()).isEqualTo(isSafeToRetry);
            assertThat(failure.getStackTrace()).isNotEmpty();
        });
    }

    @Test
    void failureOfAPartNamesEachKeyForItself() throws Exception {
        maxInFlight = 4;
        Set<String> keys = values(5).keySet();
        for (String verb : List.of("mg", "ms", "md")) {
            server.onConnection(
                    c -> c.greet().expectLine(line -> line.startsWith(verb)).cut());
        }
        server.onConnection(c -> c.greet().ignore());
        MemcachedClient<String> client = clientOf(server.address());
        assertEachOfItsOwnKey(client.multiGet(keys).failures(), keys, "mg", false);
        awaitReady(1);
        assertEachOfItsOwnKey(client.multiSet(values(5), HOUR).failures(), keys, "ms", false);
        awaitReady(2);
        assertEachOfItsOwnKey(client.multiDelete(keys).failures(), keys, "md", false);
        awaitReady(3);

        AsyncMemcachedClient<String> others = Clients.blocking(connection, Transcoder.utf8(), MAX_VALUE_BYTES, timeout)
                .async();
        for (int i = 0; i < maxInFlight; i++) {
            others.get("other" + i);
        }
        assertEachOfItsOwnKey(client.multiGet(keys).failures(), keys, "mg", true);
        assertEachOfItsOwnKey(client.multiSet(values(5), HOUR).failures(), keys, "ms", true);
        assertEachOfItsOwnKey(client.multiDelete(keys).failures(), keys, "md", true);
    }

    private void awaitReady(int index) throws InterruptedException {
        server.awaitConnection(index, LONG);
        eventually("connected again", () -> connection.state() == ConnectionState.READY);
    }

    @Test
    void failureOfAKeyNamesTheClassicCommandWhereThatWasSent() {
        protocol = Protocol.CLASSIC;
        Map<String, String> values = values(3);
        server.onConnection(c -> c.greet().replyTo(line -> switch (line.split(" ")[0]) {
            case "get" -> line.contains("probe") ? "END\r\n" : "SERVER_ERROR busy\r\n";
            case "set", "delete" -> "SERVER_ERROR busy\r\n";
            default -> "";
        }));
        MemcachedClient<String> client = clientOf(server.address());

        Set<String> keys = values.keySet();
        assertEachOfItsOwnKey(client.multiGet(keys).failures(), keys, "get", false);
        assertEachOfItsOwnKey(client.multiSet(values, HOUR).failures(), keys, "set", false);
        assertEachOfItsOwnKey(client.multiDelete(keys).failures(), keys, "delete", false);
    }

    /** ElastiCache Serverless refuses lines of 16 KiB. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void noLineIsLongerThan15000Bytes(Protocol spoken) {
        protocol = spoken;
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        server.onConnection(c -> c.greet().replyTo(line -> {
            lines.add(line);
            return switch (line.split(" ")[0]) {
                case "get", "gets" -> "END\r\n";
                case "mg" -> "EN\r\n";
                case "mn" -> "MN\r\n";
                default -> "";
            };
        }));
        MemcachedClient<String> client = clientOf(server.address());
        for (String key : List.of("a".repeat(240), "a".repeat(170), "a".repeat(52), "é".repeat(120), "語".repeat(80))) {
            Set<String> keys = new LinkedHashSet<>();
            for (int i = 0; i < 100; i++) {
                keys.add(key + i);
            }
            assertThat(client.multiGet(keys).failures()).isEmpty();
            assertThat(client.multiGets(keys).failures()).isEmpty();
        }
        assertThat(lines).allMatch(line -> line.length() < 15_010);
        assertThat(lines).anySatisfy(line -> assertThat(line).startsWith("get "));
    }

    @Test
    void interruptEndsAMultiOperationAndKeepsTheFlag() throws Exception {
        calls = Calls.BLOCKING; // The other way waits for a future, which an interrupt leaves alone.
        server.onConnection(c -> c.greet().replyTo(line -> ""));
        MemcachedClient<String> client = clientOf(server.address());
        CompletableFuture<MultiWriteResult> result = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            result.complete(client.multiDelete(values(1_000).keySet()));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        server.awaitConnection(0, LONG);
        eventually("all parts sent", () -> connection.inFlight() >= MAX_PARTS_IN_FLIGHT);
        caller.interrupt();

        assertThat(result.get(60, TimeUnit.SECONDS).failures())
                .hasSize(1_000)
                .allSatisfy((key, failure) -> assertThat(failure).isInstanceOf(MemcachedInterruptedException.class));
        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        caller.join();
    }
}
