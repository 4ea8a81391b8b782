package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.connection.ConnectionOptions;
import io.memshard.client.connection.ConnectionState;
import io.memshard.client.connection.Protocol;
import io.memshard.client.connection.ServerAddress;
import io.memshard.client.connection.Transport;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.ValueTooLargeException;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What each operation does, over a server and a client of the subclass: blocking, or asynchronous behind the
 * blocking face.
 */
@Timeout(30)
abstract class ClientOperationsContract {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_VALUE_BYTES = 2 * 1024 * 1024;

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final MemcachedServer server;

    /** Of its own for each test, since the server is shared. */
    private final String prefix = getClass().getSimpleName() + TESTS.getAndIncrement() + ':';

    private LeakCheck leaks;
    private ConnectionGroup group;
    private Connection connection;
    private MemcachedClient<String> client;

    ClientOperationsContract(MemcachedServer server) {
        this.server = server;
    }

    /** The client under test, as a blocking one. */
    abstract <V> MemcachedClient<V> client(
            Connection connection, Transcoder<V> transcoder, int maxValueBytes, Duration timeout);

    abstract Transport transport();

    /** What is spoken with the server. */
    Protocol protocol() {
        return Protocol.AUTO;
    }

    /** Where the items are, if not on the server itself but behind it. */
    MemcachedServer itemsAt() {
        return server;
    }

    /** The verb of a command as it is written: that of the meta protocol or the classic one. */
    private String verb(String meta, String classic) {
        return protocol() == Protocol.CLASSIC ? classic : meta;
    }

    @BeforeEach
    void connect() {
        ConnectionOptions defaults = ConnectionOptions.DEFAULTS;
        leaks = LeakCheck.start();
        group = new ConnectionGroup(
                new ConnectionOptions(
                                TIMEOUT,
                                TIMEOUT,
                                defaults.heartbeatInterval(),
                                defaults.maxInFlight(),
                                MAX_VALUE_BYTES,
                                defaults.backoff())
                        .withProtocol(protocol()),
                1);
        connection = group.newConnection(new ServerAddress(server.host(), server.port()), 0, transport());
        client = client(connection, Transcoder.utf8(), MAX_VALUE_BYTES, TIMEOUT);
    }

    @AfterEach
    void close() {
        group.close();
        leaks.assertNothingLeft();
    }

    private String key(String name) {
        return prefix + name;
    }

    private void expiresWithin(String key, Duration ttl) {
        assertThat(ttlSeconds(key)).isBetween(ttl.toSeconds() - 10, ttl.toSeconds() + 1);
    }

    /** The item's remaining time to live in seconds as the server has it, -1 if it never expires. */
    private long ttlSeconds(String key) {
        try (Socket socket = new Socket(itemsAt().host(), itemsAt().port())) {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.getOutputStream().write(("mg " + key + " t\r\n").getBytes(UTF_8));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
            assertThat(line).startsWith("HD t");
            return Long.parseLong(line.substring("HD t".length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void getGivesTheValueThatWasSetAndNullOnAMiss() {
        assertThat(client.get(key("a"))).isNull();
        client.set(key("a"), "one", HOUR);
        assertThat(client.get(key("a"))).isEqualTo("one");
        client.set(key("a"), "", HOUR);
        assertThat(client.get(key("a"))).isEmpty();
        client.set(key("a"), "\r\nEND\r\n\u20ac", Duration.ZERO);
        assertThat(client.get(key("a"))).isEqualTo("\r\nEND\r\n\u20ac");
    }

    @Test
    void keysMayBeAnyUtf8WithoutBlanks() {
        client.set(key("\u00fc\u20ac\ud83d\ude00"), "v", HOUR);
        assertThat(client.get(key("\u00fc\u20ac\ud83d\ude00"))).isEqualTo("v");
        String longest = "k".repeat(250);
        client.set(longest, "longest", HOUR);
        assertThat(client.get(longest)).isEqualTo("longest");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.get(longest + "k"))
                .withMessageContaining("251 bytes");
    }

    @Test
    void addStoresOnlyWhereThereIsNoItem() {
        assertThat(client.add(key("a"), "one", HOUR)).isTrue();
        assertThat(client.add(key("a"), "two", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isEqualTo("one");
    }

    @Test
    void replaceStoresOnlyWhereThereIsAnItem() {
        assertThat(client.replace(key("a"), "one", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isNull();
        client.set(key("a"), "one", HOUR);
        assertThat(client.replace(key("a"), "two", HOUR)).isTrue();
        assertThat(client.get(key("a"))).isEqualTo("two");
    }

    @Test
    void appendAndPrependAddToAnItemAndKeepItsTimeToLive() {
        assertThat(client.append(key("a"), "x")).isFalse();
        assertThat(client.prepend(key("a"), "x")).isFalse();
        client.set(key("a"), "b", HOUR);
        assertThat(client.append(key("a"), "c")).isTrue();
        assertThat(client.prepend(key("a"), "a")).isTrue();
        assertThat(client.get(key("a"))).isEqualTo("abc");
        expiresWithin(key("a"), HOUR);
    }

    @Test
    void casStoresOnlyWhatHasNotChanged() {
        assertThat(client.gets(key("a"))).isNull();
        assertThat(client.cas(key("a"), "x", 4711, HOUR)).isEqualTo(CasResult.NOT_FOUND);
        client.set(key("a"), "one", HOUR);
        CasValue<String> one = client.gets(key("a"));
        assertThat(one.value()).isEqualTo("one");
        assertThat(client.cas(key("a"), "two", one.casUnique(), HOUR)).isEqualTo(CasResult.STORED);
        assertThat(client.cas(key("a"), "three", one.casUnique(), HOUR)).isEqualTo(CasResult.EXISTS);
        CasValue<String> two = client.gets(key("a"));
        assertThat(two.value()).isEqualTo("two");
        assertThat(two.casUnique()).isNotEqualTo(one.casUnique());
        client.delete(key("a"));
        assertThat(client.cas(key("a"), "four", two.casUnique(), HOUR)).isEqualTo(CasResult.NOT_FOUND);
    }

    @Test
    void deleteSaysWhetherThereWasAnItem() {
        assertThat(client.delete(key("a"))).isFalse();
        client.set(key("a"), "one", HOUR);
        assertThat(client.delete(key("a"))).isTrue();
        assertThat(client.get(key("a"))).isNull();
        assertThat(client.delete(key("a"))).isFalse();
    }

    @Test
    void incrAndDecrCountAndAreEmptyOnAMiss() {
        assertThat(client.incr(key("n"), 1)).isEmpty();
        assertThat(client.decr(key("n"), 1)).isEmpty();
        assertThat(client.get(key("n"))).isNull();
        client.set(key("n"), "5", HOUR);
        assertThat(client.incr(key("n"), 10)).hasValue(15);
        assertThat(client.decr(key("n"), 6)).hasValue(9);
        assertThat(client.incr(key("n"), 0)).hasValue(9);
        assertThat(client.incr(key("n"), 1)).hasValue(10);
        assertThat(client.get(key("n"))).isEqualTo("10");
    }

    @Test
    void incrWrapsAt2To64AndDecrStopsAt0() {
        client.set(key("n"), "18446744073709551614", HOUR);
        assertThat(Long.toUnsignedString(client.incr(key("n"), 1).orElseThrow()))
                .isEqualTo("18446744073709551615");
        assertThat(client.incr(key("n"), 1)).hasValue(0);
        client.set(key("n"), "9223372036854775807", HOUR);
        assertThat(Long.toUnsignedString(client.incr(key("n"), 1).orElseThrow()))
                .isEqualTo("9223372036854775808");
        assertThat(client.decr(key("n"), -1)).hasValue(0);
        assertThat(client.decr(key("n"), 1)).hasValue(0);
    }

    @Test
    void incrAndDecrCreateAMissingItemWithItsInitial() {
        if (protocol() == Protocol.CLASSIC) {
            creatingByCountingIsUnsupported();
            return;
        }
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(100);
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(103);
        expiresWithin(key("n"), HOUR);
        assertThat(client.decr(key("m"), 3, 5, Duration.ZERO)).isEqualTo(5);
        assertThat(client.decr(key("m"), 3, 5, Duration.ZERO)).isEqualTo(2);
        assertThat(ttlSeconds(key("m"))).isEqualTo(-1);
        assertThat(Long.toUnsignedString(client.incr(key("u"), 1, -1, HOUR))).isEqualTo("18446744073709551615");
    }

    private void creatingByCountingIsUnsupported() {
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client.incr(key("n"), 3, 100, HOUR))
                .withMessageContaining("add the item, then count");
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client.decr(key("n"), 3, 100, HOUR));
        assertThat(client.get(key("n"))).isNull();
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void countingWhatIsNoNumberIsAnErrorThatKeepsTheConnection() {
        client.set(key("a"), "no number", HOUR);
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> client.incr(key("a"), 1))
                .withMessageContaining("CLIENT_ERROR cannot increment or decrement non-numeric value")
                .withMessageContaining(verb("ma ", "incr "));
        assertThat(client.get(key("a"))).isEqualTo("no number");
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void decrThatShortensANumberCanBeRead() {
        client.set(key("n"), "10", HOUR);
        assertThat(client.decr(key("n"), 1)).hasValue(9);
        assertThat(client.get(key("n")).strip()).isEqualTo("9");
        assertThat(client.incr(key("n"), 1)).hasValue(10);
    }

    @Test
    void touchSetsTheTimeToLive() {
        assertThat(client.touch(key("a"), HOUR)).isFalse();
        client.set(key("a"), "one", Duration.ZERO);
        assertThat(ttlSeconds(key("a"))).isEqualTo(-1);
        assertThat(client.touch(key("a"), HOUR)).isTrue();
        expiresWithin(key("a"), HOUR);
        assertThat(client.touch(key("a"), Duration.ZERO)).isTrue();
        assertThat(ttlSeconds(key("a"))).isEqualTo(-1);
        assertThat(client.get(key("a"))).isEqualTo("one");
    }

    @Test
    void getAndTouchReadsAndSetsTheTimeToLive() {
        assertThat(client.getAndTouch(key("a"), HOUR)).isNull();
        client.set(key("a"), "one", Duration.ZERO);
        assertThat(client.getAndTouch(key("a"), HOUR)).isEqualTo("one");
        expiresWithin(key("a"), HOUR);
    }

    @Test
    void timesToLiveAbove30DaysAreKept() {
        for (Duration ttl : List.of(Duration.ofDays(30), Duration.ofDays(40), Duration.ofDays(400))) {
            client.set(key("a"), "one", ttl);
            expiresWithin(key("a"), ttl);
            client.touch(key("a"), HOUR);
            client.getAndTouch(key("a"), ttl);
            expiresWithin(key("a"), ttl);
            client.add(key("b" + ttl), "two", ttl);
            expiresWithin(key("b" + ttl), ttl);
        }
    }

    @Test
    void negativeTimesToLiveAreRefused() {
        Duration negative = Duration.ofMillis(-1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.set(key("a"), "one", negative))
                .withMessageContaining("ttl is PT-0.001S");
        assertThatIllegalArgumentException().isThrownBy(() -> client.touch(key("a"), negative));
        assertThat(client.get(key("a"))).isNull();
    }

    @Test
    void getAllAccountsForEachDistinctKey() {
        client.set(key("a"), "one", HOUR);
        client.set(key("b"), "", HOUR);
        MultiGetResult<String> result =
                client.getAll(Arrays.asList(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.hits()).containsOnlyKeys(key("a"), key("b"));
        assertThat(result.hits()).containsEntry(key("a"), "one").containsEntry(key("b"), "");
        assertThat(result.misses()).containsExactly(key("miss"));
        assertThat(result.failures()).isEmpty();
        assertThat(result.hitsOrThrow()).isEqualTo(result.hits());
        assertThat(client.getAll(List.of()).hits()).isEmpty();
    }

    @Test
    void getAllTakesAnyNumberOfKeys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 350; i++) {
            keys.add(key("many" + i));
            if (i % 2 == 0) {
                client.set(keys.get(i), "value of " + i, HOUR);
            }
        }
        MultiGetResult<String> result = client.getAll(keys);

        assertThat(result.hits()).hasSize(175);
        assertThat(result.misses()).hasSize(175);
        for (int i = 0; i < 350; i += 2) {
            assertThat(result.hits()).containsEntry(keys.get(i), "value of " + i);
        }
    }

    @Test
    void setAllStoresEachValueWithItsTimeToLive() {
        client.set(key("a"), "old", Duration.ZERO);
        Map<String, String> values = new LinkedHashMap<>();
        values.put(key("a"), "one");
        values.put(key("\u00fc"), "");
        values.put(key("c"), "\r\nmn\r\n");
        MultiSetResult result = client.setAll(values, HOUR);

        assertThat(result.stored()).containsExactlyElementsOf(values.keySet());
        assertThat(result.failures()).isEmpty();
        assertThat(result.storedOrThrow()).isEqualTo(result.stored());
        assertThat(client.getAll(values.keySet()).hitsOrThrow()).isEqualTo(values);
        expiresWithin(key("a"), HOUR);
        expiresWithin(key("c"), HOUR);
        assertThat(client.setAll(Map.of(), HOUR).stored()).isEmpty();
    }

    @Test
    void deleteAllSaysOfEachDistinctKeyWhetherThereWasAnItem() {
        client.setAll(Map.of(key("a"), "one", key("b"), "two", key("kept"), "three"), HOUR);
        MultiDeleteResult result =
                client.deleteAll(Arrays.asList(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.deleted()).containsExactly(key("a"), key("b"));
        assertThat(result.misses()).containsExactly(key("miss"));
        assertThat(result.failures()).isEmpty();
        assertThat(result.deletedOrThrow()).isEqualTo(result.deleted());
        assertThat(client.getAll(List.of(key("a"), key("b"), key("kept"))).hitsOrThrow())
                .containsOnlyKeys(key("kept"));
        assertThat(client.deleteAll(List.of()).deleted()).isEmpty();
    }

    @Test
    void bulksOfAnySizeAreCutIntoPartsAndAccountForEachKey() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 3_000; i++) {
            values.put(key("bulk" + i), "value " + i + " " + "x".repeat(i % 1_000 == 0 ? 100_000 : i % 300));
        }
        assertThat(client.setAll(values, HOUR).storedOrThrow()).hasSize(3_000);
        assertThat(client.getAll(values.keySet()).hitsOrThrow()).isEqualTo(values);

        List<String> keys = new ArrayList<>(values.keySet());
        keys.add(1_234, key("bulkmiss"));
        MultiDeleteResult deleted = client.deleteAll(keys);
        assertThat(deleted.deleted()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key("bulkmiss"));
        assertThat(deleted.failures()).isEmpty();
        assertThat(client.getAll(keys).misses()).hasSize(3_001);
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void bulksWithAnIllegalArgumentSendNothing() {
        Map<String, String> values = new LinkedHashMap<>(Map.of(key("a"), "one"));
        values.put("a b", "two");
        assertThatIllegalArgumentException().isThrownBy(() -> client.setAll(values, HOUR));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.setAll(Map.of(key("a"), "one"), Duration.ofSeconds(-1)));
        assertThat(client.get(key("a"))).isNull();
        client.set(key("a"), "one", HOUR);
        assertThatIllegalArgumentException().isThrownBy(() -> client.deleteAll(List.of(key("a"), "")));
        assertThat(client.get(key("a"))).isEqualTo("one");
    }

    @Test
    void valueAboveTheServersLimitFailsItsKeyOfABulkOnly() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 250; i++) {
            values.put(key("bulk" + i), i == 170 ? "x".repeat(MAX_VALUE_BYTES - 1) : "value " + i);
        }
        client.set(key("bulk170"), "old", HOUR);
        MultiSetResult result = client.setAll(values, HOUR);

        assertThat(result.stored()).hasSize(249).doesNotContain(key("bulk170"));
        assertThat(result.failures()).containsOnlyKeys(key("bulk170"));
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(result::storedOrThrow)
                .withMessageContaining("object too large for cache")
                .withMessageContaining("ms ")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isFalse());
        assertThat(client.getAll(values.keySet()).misses()).containsExactly(key("bulk170"));
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void valueAboveTheClientsLimitFailsItsKeyOnly() {
        try (ConnectionGroup small = new ConnectionGroup(
                new ConnectionOptions(TIMEOUT, TIMEOUT, TIMEOUT, 1024, 10, ConnectionOptions.DEFAULTS.backoff())
                        .withProtocol(protocol()),
                1)) {
            Connection limited = small.newConnection(connection.server(), 0, transport());
            MemcachedClient<String> limitedClient = client(limited, Transcoder.utf8(), 10, TIMEOUT);
            client.set(key("large"), "01234567890", HOUR);
            client.set(key("fits"), "0123456789", HOUR);

            assertThatExceptionOfType(ValueTooLargeException.class)
                    .isThrownBy(() -> limitedClient.set(key("large"), "01234567890", HOUR))
                    .withMessageContaining("nothing was sent");
            assertThatExceptionOfType(ValueTooLargeException.class)
                    .isThrownBy(() -> limitedClient.get(key("large")))
                    .withMessageContaining("maxValueBytes=10");
            MultiGetResult<String> result = limitedClient.getAll(List.of(key("large"), key("fits"), key("miss")));
            assertThat(result.hits()).containsOnlyKeys(key("fits"));
            assertThat(result.misses()).containsExactly(key("miss"));
            assertThat(result.failures()).containsOnlyKeys(key("large"));
            assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(result::hitsOrThrow);
            MultiSetResult stored =
                    limitedClient.setAll(Map.of(key("large"), "01234567890", key("fits"), "0123456789"), HOUR);
            assertThat(stored.stored()).containsExactly(key("fits"));
            assertThat(stored.failures()).containsOnlyKeys(key("large"));
            assertThatExceptionOfType(ValueTooLargeException.class)
                    .isThrownBy(stored::storedOrThrow)
                    .withMessageContaining("nothing was sent")
                    .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
            assertThat(limitedClient.get(key("fits"))).isEqualTo("0123456789");
            assertThat(limited.state()).isEqualTo(ConnectionState.READY);
        }
        assertThat(client.get(key("large"))).isEqualTo("01234567890");
    }

    @Test
    void valueAboveTheServersLimitFailsAndTheOldValueIsGone() {
        client.set(key("a"), "old", HOUR);
        String tooLarge = "x".repeat(MAX_VALUE_BYTES - 1);
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> client.set(key("a"), tooLarge, HOUR))
                .withMessageContaining("object too large for cache");
        assertThat(client.get(key("a"))).isNull();
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void versionIsTheServers() {
        assertThat(client.version()).matches("\\d+\\.\\d+\\..*");
    }

    @Test
    void transcodersShareTheConnectionAndKeepFlags() {
        Transcoder<Integer> ints = new Transcoder<>() {
            @Override
            public EncodedValue encode(Integer value) {
                return new EncodedValue(new byte[] {value.byteValue()}, -1);
            }

            @Override
            public Integer decode(byte[] data, int flags) {
                assertThat(flags).isEqualTo(-1);
                return (int) data[0];
            }
        };
        MemcachedClient<Integer> numbers = client.withTranscoder(ints);
        numbers.set(key("i"), 42, HOUR);
        assertThat(numbers.get(key("i"))).isEqualTo(42);
        assertThat(numbers.gets(key("i")).value()).isEqualTo(42);
        assertThat(numbers.getAll(List.of(key("i"))).hits()).containsEntry(key("i"), 42);
        assertThat(client.withTranscoder(Transcoder.bytes()).get(key("i"))).containsExactly(42);
    }

    @Test
    void exceptionOfATranscoderReachesTheCallerAndHarmsNothing() {
        Transcoder<String> picky = new Transcoder<>() {
            @Override
            public EncodedValue encode(String value) {
                throw new IllegalStateException("cannot encode");
            }

            @Override
            public String decode(byte[] data, int flags) {
                throw new IllegalStateException("cannot decode");
            }
        };
        client.set(key("a"), "one", HOUR);
        MemcachedClient<String> broken = client.withTranscoder(picky);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> broken.set(key("a"), "two", HOUR))
                .withMessage("cannot encode");
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> broken.get(key("a")))
                .withMessageStartingWith("the transcoder threw java.lang.IllegalStateException (flags 0x0): ")
                .withCauseInstanceOf(IllegalStateException.class)
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo(key("a"));
                    assertThat(e.isSafeToRetry()).isFalse();
                });
        MultiGetResult<String> all = broken.getAll(List.of(key("a"), key("miss")));
        assertThat(all.misses()).containsExactly(key("miss"));
        assertThat(all.failures()).containsOnlyKeys(key("a"));
        assertThat(all.failures().get(key("a")))
                .isInstanceOfSatisfying(
                        MemcachedDecodingException.class,
                        e -> assertThat(e.key()).isEqualTo(key("a")));
        assertThat(client.get(key("a"))).isEqualTo("one");
        assertThat(connection.inFlight()).isZero();
    }
}
