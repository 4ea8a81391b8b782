// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.LargeNumbers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract of a connection, regardless of engine and mode; each combination runs all tests. */
@MemcachedTest
abstract class MemcachedConnectionContract {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Transcoder<String> UTF8 = Transcoder.utf8();
    private static final AtomicInteger NEXT_KEY = new AtomicInteger();

    private final Engine engine;
    private final Mode mode;
    private final boolean binaryProtocol;

    private MemcachedServer server;
    private LeakCheck leakCheck;
    private MemcachedConnectionFactory factory;
    private MemcachedConnection connection;
    private String key;

    MemcachedConnectionContract(Engine engine, Mode mode, boolean binaryProtocol) {
        this.engine = engine;
        this.mode = mode;
        this.binaryProtocol = binaryProtocol;
    }

    @BeforeEach
    void open(MemcachedServer found) {
        server = found;
        if (binaryProtocol && server instanceof EmbeddedMemcached) {
            throw Program.skip("a server with the binary protocol, install the package memcached");
        }
        leakCheck = LeakCheck.start(engine == Engine.MEMSHARD ? "memshard" : "Memcached IO");
        factory = builder(server).build();
        connection = factory.getConnection();
        key = "contract" + ProcessHandle.current().pid() + '.' + NEXT_KEY.incrementAndGet();
    }

    private MemcachedConnectionFactoryBuilder builder(MemcachedServer server) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .binaryProtocol(binaryProtocol)
                .servers(server.host() + ':' + server.port())
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return mode == Mode.SINGLE ? builder : builder.connectionsPerServer(3);
    }

    @AfterEach
    void leavesNothing() {
        if (factory != null) {
            connection.close();
            factory.close();
            leakCheck.assertNothingLeft();
        }
    }

    @Test
    void factoryTellsEngineAndMode() {
        assertThat(factory.engine()).isEqualTo(engine);
        assertThat(factory.mode()).isEqualTo(mode);
    }

    @Test
    void factoryIsReadyAfterTheWaitAndClosesAfterADrain() {
        try (MemcachedConnectionFactory drained = builder(server).build()) {
            drained.awaitReady(Duration.ofSeconds(30));
            try (MemcachedConnection one = drained.getConnection()) {
                one.set(key, "value", TTL, UTF8);
            }
            drained.close(TTL);
        }
        assertThat(connection.get(key, UTF8)).isEqualTo("value");
    }

    @Test
    void serverIsUpWhileItAnswersAndDownAfterwards() {
        assumeFalse(binaryProtocol, "embedded has no binary protocol");
        Duration timeout = TTL;
        MemcachedServer own = EmbeddedMemcached.start();
        try (MemcachedConnectionFactory asking = builder(own).build()) {
            String address = own.host() + ':' + own.port();
            assertThat(asking.health(timeout).toString()).startsWith(address + " is up, after ");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> asking.health(Duration.ZERO))
                    .withMessageStartingWith("timeout ");
            own.close();
            assertThat(asking.health(timeout).toString()).startsWith(address + " is down, after ");
        } finally {
            own.close();
        }
    }

    @Test
    void getReturnsWhatWasSet() {
        assertThat(connection.get(key, UTF8)).isNull();
        connection.set(key, "héllo", TTL, UTF8);
        assertThat(connection.get(key, UTF8)).isEqualTo("héllo");
        connection.set(key, "", TimeToLive.NEVER, UTF8);
        assertThat(connection.get(key, UTF8)).isEmpty();
    }

    @Test
    void valuesWithLineEndsAndLargeOnesAreReadBackWhole() {
        byte[] value = new byte[200_000];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) (i % 7 == 0 ? '\r' : i % 7 == 1 ? '\n' : i);
        }
        connection.set(key, value, TTL, Transcoder.bytes());
        assertThat(connection.get(key, Transcoder.bytes())).isEqualTo(value);
    }

    @Test
    void setAllAndDeleteAllAccountForEachKey() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 500; i++) {
            values.put(key + ':' + i, "value " + i);
        }
        MultiSetResult set = connection.multiSet(values, TTL, UTF8);
        assertThat(set.stored()).isEqualTo(values.keySet());
        assertThat(set.failures()).isEmpty();
        assertThat(connection.multiGet(values.keySet(), UTF8).hitsOrThrow()).isEqualTo(values);

        List<String> keys = new ArrayList<>(values.keySet());
        keys.add(key);
        keys.add(key);
        MultiDeleteResult deleted = connection.multiDelete(keys);
        assertThat(deleted.deleted()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key);
        assertThat(deleted.failures()).isEmpty();
        assertThat(connection.multiGet(keys, UTF8).misses()).hasSize(501);
    }

    @Test
    void illegalKeysAmongManyFailAndTheOthersAreServed() {
        Map<String, String> values = new LinkedHashMap<>(Map.of(key, "one"));
        values.put(key + " b", "x".repeat(2 * 1024 * 1024));
        MultiSetResult set = connection.multiSet(values, TTL, UTF8);
        assertThat(set.stored()).containsExactly(key);
        areIllegal(set.failures(), key + " b");
        MultiGetResult<String> got = connection.multiGet(List.of("", key, key + ":miss", "a\nb"), UTF8);
        assertThat(got.hits()).isEqualTo(Map.of(key, "one"));
        assertThat(got.misses()).containsExactly(key + ":miss");
        areIllegal(got.failures(), "", "a\nb");
        areIllegal(connection.multiGet(List.of("a\nb"), UTF8).failures(), "a\nb");
        MultiDeleteResult deleted = connection.multiDelete(List.of(key + ":miss", "", key));
        assertThat(deleted.deleted()).containsExactly(key);
        assertThat(deleted.misses()).containsExactly(key + ":miss");
        areIllegal(deleted.failures(), "");
        assertThatExceptionOfType(MemcachedIllegalKeyException.class).isThrownBy(deleted::deletedOrThrow);
    }

    private static void areIllegal(Map<String, MemcachedException> failures, String... keys) {
        assertThat(failures).containsOnlyKeys(keys);
        assertThat(failures.values()).hasOnlyElementsOfType(MemcachedIllegalKeyException.class);
    }

    @Test
    void writesOfManyKeysFailTooLargeValuesAlone() {
        MultiSetResult set =
                connection.multiSet(Map.of(key, "one", key + ":large", "x".repeat(2 * 1024 * 1024)), TTL, UTF8);
        assertThat(set.stored()).containsExactly(key);
        assertThat(set.failures()).containsOnlyKeys(key + ":large");
        assertThatExceptionOfType(MemcachedValueTooLargeException.class).isThrownBy(set::storedOrThrow);
        assertThat(connection.get(key, UTF8)).isEqualTo("one");
    }

    @Test
    void flagsOfATranscoderAreKept() {
        Transcoder<EncodedValue> asStored = Transcoder.asStored();
        connection.set(key, new EncodedValue(new byte[] {1}, 0x1234567), TTL, asStored);
        assertThat(connection.get(key, asStored).flags()).isEqualTo(0x1234567);
    }

    @Test
    void aValueThatCannotBeDecodedFailsItsKeyOnly() {
        connection.set(key, "no number", TTL, UTF8);
        connection.set(key + ":2", "2", TTL, UTF8);
        Transcoder<Long> numbers = Transcoder.counter();
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> connection.get(key, numbers))
                .withMessageContaining(key)
                .satisfies(e -> assertThat(e.getCause()).hasMessage("java.lang.NumberFormatException"))
                .satisfies(e -> assertThat(e.key()).isEqualTo(key));
        assertThatExceptionOfType(MemcachedDecodingException.class).isThrownBy(() -> connection.gets(key, numbers));
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> connection.getAndTouch(key, TTL, numbers));
        MultiGetResult<Long> all = connection.multiGet(List.of(key, key + ":2", key + ":3"), numbers);
        assertThat(all.hits()).containsOnly(Map.entry(key + ":2", 2L));
        assertThat(all.misses()).containsExactly(key + ":3");
        assertThat(all.failures()).containsOnlyKeys(key);
        assertThat(connection.get(key, UTF8)).isEqualTo("no number");
    }

    @Test
    void addAndReplaceSayWhetherTheyStored() {
        assertThat(connection.replace(key, "a", TTL, UTF8)).isFalse();
        assertThat(connection.add(key, "b", TTL, UTF8)).isTrue();
        assertThat(connection.add(key, "c", TTL, UTF8)).isFalse();
        assertThat(connection.replace(key, "d", TTL, UTF8)).isTrue();
        assertThat(connection.get(key, UTF8)).isEqualTo("d");
    }

    @Test
    void appendAndPrependNeedAnItem() {
        assertThat(connection.append(key, "x", UTF8)).isFalse();
        assertThat(connection.prepend(key, "x", UTF8)).isFalse();
        connection.set(key, "b", TTL, UTF8);
        assertThat(connection.append(key, "c", UTF8)).isTrue();
        assertThat(connection.prepend(key, "a", UTF8)).isTrue();
        assertThat(connection.get(key, UTF8)).isEqualTo("abc");
    }

    @Test
    void casStoresOnlyWhatWasNotChangedSince() {
        assertThat(connection.gets(key, UTF8)).isNull();
        connection.set(key, "a", TTL, UTF8);
        CasValue<String> read = connection.gets(key, UTF8);
        assertThat(read.value()).isEqualTo("a");
        assertThat(connection.cas(key, "b", read.casUnique(), TTL, UTF8)).isEqualTo(CasResult.STORED);
        assertThat(connection.cas(key, "b", read.casUnique(), TTL, UTF8)).isEqualTo(CasResult.EXISTS);
        assertThat(connection.cas(key + ".none", "b", read.casUnique(), TTL, UTF8))
                .isEqualTo(CasResult.NOT_FOUND);
        assertThat(connection.get(key, UTF8)).isEqualTo("b");
    }

    /** Covers flags and cas uniques: if the server rejects a line, it executes the value after it as commands. */
    @Test
    void highestBitReachesTheServerOrNothingDoes() {
        connection.set(key, "mine", TTL, UTF8);
        MemcachedTemplate<EncodedValue> template = new MemcachedTemplate<>(factory, Transcoder.asStored());
        EncodedValue value = new EncodedValue(("delete " + key).getBytes(StandardCharsets.UTF_8), Integer.MIN_VALUE);
        EncodedValue harmless = new EncodedValue(value.data(), 0);
        if (engine == Engine.SPYMEMCACHED && !binaryProtocol) {
            assertThatIllegalArgumentException().isThrownBy(() -> template.set(key + ".flags", value, TTL));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> template.cas(key + ".cas", harmless, Long.MIN_VALUE, TTL));
        } else {
            template.set(key + ".flags", value, TTL);
            assertThat(template.get(key + ".flags").flags()).isEqualTo(Integer.MIN_VALUE);
            assertThat(template.cas(key + ".cas", harmless, Long.MIN_VALUE, TTL))
                    .isEqualTo(CasResult.NOT_FOUND);
        }
        assertThat(connection.get(key, UTF8)).isEqualTo("mine");
    }

    @Test
    void casUniqueZeroIsRefusedAndNothingStored() {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        connection.set(key, "another's", TTL, UTF8);
        for (String each : List.of(key, key + ".none")) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> connection.cas(each, "mine", 0, TTL, UTF8), () -> template.cas(each, "mine", 0, TTL))) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("casUnique is 0: use the cas unique that gets returned; a server without cas"
                                + " (memcached -C) always returns 0");
            }
        }
        assertThat(connection.get(key, UTF8)).isEqualTo("another's");
        assertThat(connection.get(key + ".none", UTF8)).isNull();
    }

    @Test
    void deleteSaysWhetherThereWasAnItem() {
        assertThat(connection.delete(key)).isFalse();
        connection.set(key, "a", TTL, UTF8);
        assertThat(connection.delete(key)).isTrue();
        assertThat(connection.get(key, UTF8)).isNull();
    }

    @Test
    void countersCountAndAreCreatedOnRequest() {
        assertThat(connection.incr(key, 1)).isEmpty();
        assertThat(connection.decr(key, 1)).isEmpty();
        assertThat(connection.incr(key, 5, 100, TTL)).isEqualTo(100);
        assertThat(connection.incr(key, 5, 100, TTL)).isEqualTo(105);
        assertThat(connection.incr(key, 5)).hasValue(110);
        assertThat(connection.decr(key, 101)).hasValue(9);
        assertThat(connection.get(key, Transcoder.counter())).isEqualTo(9);
        assertThat(connection.decr(key, 20, 7, TTL)).isEqualTo(0);
        assertThat(connection.decr(key + ".b", 20, 7, TTL)).isEqualTo(7);
    }

    @Test
    void incrAboveTheSignedRangeIsUnsigned() {
        LargeNumbers.count(key, number -> {
            // spymemcached connects again after an error, such as that of a number that the server does not take.
            eventually("connected", () -> factory.health(TTL).isUp());
            connection.set(number, -2L, TTL, Transcoder.counter());
            assertThat(connection.incr(number, 1)).hasValue(-1L);
            assertThat(connection.get(number, Transcoder.counter())).isEqualTo(-1L);
            assertThat(connection.incr(number, 1)).hasValue(0);
        });
    }

    @Test
    void toStringDescribesTheTemplate() {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        String shown = "MemcachedTemplate[" + factory + ", engine=" + engine + ", mode=" + mode;
        assertThat(template).hasToString(shown + "]");
        assertThat(template.withTimeout(Duration.ofSeconds(10))).hasToString(shown + ", requestTimeout=PT10S]");
    }

    @Test
    void deltasAboveTheSignedRangeWorkIfTheEngineSupportsThem() {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        connection.set(key, 5L, TTL, Transcoder.counter());
        if (engine == Engine.SPYMEMCACHED) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> connection.incrUnsigned(key, -2),
                    () -> connection.decrUnsigned(key, -2),
                    () -> template.incrUnsigned(key, -2),
                    () -> template.decrUnsigned(key, -2))) {
                assertThatThrownBy(call)
                        .isInstanceOf(MemcachedUnsupportedException.class)
                        .hasMessageStartingWith("this client accepts deltas up to 9223372036854775807: call ");
            }
            return;
        }
        assertThat(connection.incrUnsigned(key, -2)).hasValue(3);
        assertThat(template.incrUnsigned(key, -2)).hasValue(1);
        assertThat(connection.decrUnsigned(key, -2)).hasValue(0);
        assertThat(template.decrUnsigned(key, -2)).hasValue(0);
    }

    @Test
    void touchSaysWhetherThereWasAnItem() {
        assertThat(connection.touch(key, TTL)).isFalse();
        connection.set(key, "a", TTL, UTF8);
        assertThat(connection.touch(key, Duration.ofDays(60))).isTrue();
        assertThat(connection.get(key, UTF8)).isEqualTo("a");
    }

    @Test
    void getAndTouchReturnsTheValueAndProlongsIt(MemcachedServer server) {
        assertThat(connection.getAndTouch(key, TTL, UTF8)).isNull();
        connection.set(key, "a", TTL, UTF8);
        assertThat(connection.getAndTouch(key, TTL.multipliedBy(2), UTF8)).isEqualTo("a");
        assertThat(ttl(server)).isGreaterThan(TTL);
        assertThat(connection.get(key, UTF8)).isEqualTo("a");
    }

    /** The remaining time of the item, which only the memshard engine can ask for. */
    private Duration ttl(MemcachedServer server) {
        try (MemcachedConnectionFactory asking = MemcachedConnectionFactory.builder()
                .servers(server.host() + ':' + server.port())
                .requestTimeout(TTL)
                .build()) {
            GetRequest get = GetRequest.of(key).returning(ItemField.TTL);
            return asking.getConnection().meta(UTF8).get(get).ttl().orElseThrow();
        }
    }

    @Test
    void getAllAccountsForEachKeyOnce() {
        connection.set(key + "a", "1", TTL, UTF8);
        connection.set(key + "b", "2", TTL, UTF8);
        MultiGetResult<String> result = connection.multiGet(List.of(key + "b", key, key + "a", key + "b"), UTF8);
        assertThat(result.hitsOrThrow())
                .containsEntry(key + "a", "1")
                .containsEntry(key + "b", "2")
                .hasSize(2);
        assertThat(result.misses()).containsExactly(key);
        assertThat(result.failures()).isEmpty();
        assertThat(connection.multiGet(List.of(), UTF8).hits()).isEmpty();
    }

    @Test
    void versionIsTheServers() {
        assertThat(connection.version()).matches("\\d+\\.\\d+\\..*");
    }

    @Test
    void badKeysAreRefusedBeforeAnythingIsSent() {
        for (String bad : List.of("", "a b", "a\nb", "a\u0000", "k".repeat(251), "é".repeat(126))) {
            assertThatThrownBy(() -> connection.get(bad, UTF8)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> connection.set(bad, "v", TTL, UTF8)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> connection.set(bad, "x".repeat(2 * 1024 * 1024), TTL, UTF8))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> connection.get(null, UTF8)).isInstanceOf(NullPointerException.class);
        assertThat(connection.get(key, UTF8)).isNull();
    }

    @Test
    void negativeDeltasAreRefused() {
        connection.set(key, "5", TTL, UTF8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connection.incr(key, -1))
                .withMessageContaining("call decr for the opposite");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connection.decr(key, -1))
                .withMessageContaining("call incr for the opposite");
        assertThatIllegalArgumentException().isThrownBy(() -> connection.incr(key, -1, 1, TTL));
        assertThatIllegalArgumentException().isThrownBy(() -> connection.decr(key, -1, 1, TTL));
        assertThat(connection.get(key, UTF8)).isEqualTo("5");
    }

    @Test
    void expiredTimesToLiveAreRefused() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            Stream.<Runnable>of(
                            () -> connection.set(key, "v", ttl, UTF8),
                            () -> connection.add(key, "v", ttl, UTF8),
                            () -> connection.replace(key, "v", ttl, UTF8),
                            () -> connection.cas(key, "v", 1, ttl, UTF8),
                            () -> connection.multiSet(Map.of(key, "v"), ttl, UTF8),
                            () -> connection.touch(key, ttl),
                            () -> connection.getAndTouch(key, ttl, UTF8),
                            () -> connection.incr(key, 1, 1, ttl),
                            () -> connection.decr(key, 1, 1, ttl))
                    .forEach(call -> assertThatThrownBy(call::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("TimeToLive.NEVER"));
        }
        assertThat(connection.get(key, UTF8)).isNull();
    }

    @Test
    void expiredValueReplacesTheOldOneAndCannotBeRead() {
        Duration over = TimeToLive.until(Instant.now());
        connection.set(key, "old", TTL, UTF8);
        connection.set(key, "new", over, UTF8);
        assertThat(connection.get(key, UTF8)).isNull();
        connection.set(key, "old", TTL, UTF8);
        assertThat(connection.touch(key, over)).isTrue();
        assertThat(connection.get(key, UTF8)).isNull();
        connection.set(key, "old", TTL, UTF8);
        connection.multiSet(Map.of(key, "new"), over, UTF8).storedOrThrow();
        assertThat(connection.get(key, UTF8)).isNull();
        assertThat(connection.add(key, "new", over, UTF8)).isTrue();
        assertThat(connection.get(key, UTF8)).isNull();
        assertThat(connection.incr(key, 1, 5, over)).isEqualTo(5);
        assertThat(connection.incr(key, 1)).isEmpty();
    }

    @Test
    void valuesAboveTheLimitAreRefusedAndTheConnectionStays() {
        byte[] tooLarge = new byte[(1 << 20) + 1];
        connection.set(key, "old", TTL, UTF8);
        assertThatThrownBy(() -> connection.set(key, tooLarge, TTL, Transcoder.bytes()))
                .isInstanceOf(MemcachedValueTooLargeException.class)
                .hasMessageContaining("maxValueBytes=1048576");
        assertThat(connection.get(key, UTF8)).isNull();
    }

    @Test
    void valuesAboveTheServersLimitAreAValueTooLarge() {
        // Fits this side's limit; with its header it is above the server's.
        byte[] tooLarge = new byte[1 << 20];
        assertThatThrownBy(() -> connection.set(key, tooLarge, TTL, Transcoder.bytes()))
                .isInstanceOf(MemcachedValueTooLargeException.class);
    }

    @Test
    void valueThatTheSerializerRejectsAsTooLargeDeletesTheOldOne() {
        Transcoder<String> limited =
                Compression.gzip().thresholdBytes(10).maxBytes(20).around(UTF8);
        String tooLarge = "x".repeat(21);
        connection
                .multiSet(Map.of(key, "old", key + "2", "old", key + "3", "old"), TTL, UTF8)
                .storedOrThrow();
        assertThatThrownBy(() -> connection.set(key, tooLarge, TTL, limited))
                .isInstanceOf(MemcachedValueTooLargeException.class)
                .hasMessageContaining("Compression.maxBytes");
        MultiSetResult result = connection.multiSet(Map.of(key + "2", tooLarge, key + "3", "new"), TTL, limited);
        assertThat(result.failures()).containsOnlyKeys(key + "2");
        assertThat(connection.multiGet(List.of(key, key + "2", key + "3"), UTF8).hits())
                .containsExactly(Map.entry(key + "3", "new"));
    }

    @Test
    void countingAWordIsAServerError() {
        connection.set(key, "word", TTL, UTF8);
        assertThatThrownBy(() -> connection.incr(key, 1))
                .isInstanceOf(MemcachedServerException.class)
                .hasMessageContaining("on-numeric");
    }

    @Test
    void anInterruptedCallerKeepsItsFlagAndTheConnection() {
        connection.set(key, "a", TTL, UTF8);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> connection.get(key, UTF8)).isInstanceOf(MemcachedInterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(connection.get(key, UTF8)).isEqualTo("a");
    }

    @Test
    void commandsOfOneThreadAreExecutedInOrder() {
        for (int i = 0; i < 50; i++) {
            connection.set(key, "value-" + i, TTL, UTF8);
            assertThat(connection.get(key, UTF8)).isEqualTo("value-" + i);
        }
    }

    @Test
    void manyThreadsEachGetTheirOwnValue() throws Exception {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        connection.close();
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                String own = key + "." + caller;
                done.add(callers.submit(() -> {
                    for (int i = 0; i < 50; i++) {
                        template.set(own, own + i, TTL);
                        // Another connection may have this command: what it sees is a value of its own key.
                        assertThat(template.get(own)).startsWith(own);
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get(30, TimeUnit.SECONDS);
            }
        } finally {
            callers.shutdownNow();
            assertThat(callers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void templateOffersTheSameCommands() {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        assertThat(template.getConnectionFactory()).isSameAs(factory);
        assertThat(template.add(key, "b", TTL)).isTrue();
        assertThat(template.append(key, "c")).isTrue();
        assertThat(template.prepend(key, "a")).isTrue();
        assertThat(template.get(key)).isEqualTo("abc");
        assertThat(template.replace(key, "1", TTL)).isTrue();
        assertThat(template.incr(key, 2)).hasValue(3);
        assertThat(template.incr(key, 2, 0, TTL)).isEqualTo(5);
        assertThat(template.decr(key, 1)).hasValue(4);
        assertThat(template.decr(key, 1, 0, TTL)).isEqualTo(3);
        assertThat(template.touch(key, TTL)).isTrue();
        assertThat(template.getAndTouch(key, TTL)).isEqualTo("3");
        CasValue<String> read = template.gets(key);
        assertThat(template.cas(key, "x", read.casUnique(), TTL)).isEqualTo(CasResult.STORED);
        assertThat(template.multiGet(List.of(key)).hits()).containsEntry(key, "x");
        assertThat(template.withTranscoder(Transcoder.bytes()).get(key))
                .isEqualTo("x".getBytes(StandardCharsets.UTF_8));
        assertThat(template.<String>execute(pinned -> {
                    pinned.set(key, "y", TTL, UTF8);
                    return pinned.get(key, UTF8);
                }))
                .isEqualTo("y");
        assertThat(template.delete(key)).isTrue();
        assertThat(template.version()).isNotEmpty();
    }

    @Test
    void handleWithATimeoutIsTheSameHandle() {
        MemcachedConnection patient = connection.withTimeout(Duration.ofMinutes(1));
        patient.set(key, "a", TTL, UTF8);
        assertThat(connection.get(key, UTF8)).isEqualTo("a");
        patient.close();
        if (mode == Mode.POOLED) {
            assertThatThrownBy(() -> connection.get(key, UTF8)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> connection.withTimeout(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("timeout is PT-1S");
    }

    @Test
    void metaCommandsWorkIfTheEngineSpeaksThem() {
        MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, UTF8);
        if (engine == Engine.SPYMEMCACHED) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> connection.meta(UTF8), () -> template.getOrLoad(key, TTL, k -> "not called"))) {
                assertThatThrownBy(call)
                        .isInstanceOf(MemcachedUnsupportedException.class)
                        .hasMessageContaining("use engine MEMSHARD");
            }
            assertThat(template.get(key)).isNull();
            return;
        }
        MetaClient<String> meta = connection.meta(UTF8);
        assertThat(meta.set(SetRequest.of(key, "a").ttl(TTL)).isDone()).isTrue();
        MetaItem<String> item = template.meta().get(GetRequest.of(key).returning(ItemField.VALUE, ItemField.TTL));
        assertThat(item.value()).isEqualTo("a");
        assertThat(item.ttl()).isNotEmpty();
        assertThat(template.meta().arithmetic(ArithmeticRequest.of(key + "n")).status())
                .isEqualTo(WriteStatus.NOT_FOUND);
        assertThat(meta.debug(ItemKey.of(key))).isNotNull();
        template.meta().noop();
        assertThat(template.meta().delete(DeleteRequest.of(key).invalidate())).isEqualTo(WriteStatus.DONE);
        assertThat(template.getOrLoad(key, TTL, k -> "loaded with " + template.get(k)))
                .isEqualTo("loaded with a");
        assertThat(template.get(key)).isEqualTo("loaded with a");
        connection.close();
        if (mode == Mode.POOLED) {
            assertThatThrownBy(() -> meta.get(GetRequest.of(key)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned to the pool");
        }
    }

    @Test
    void handlesThatAreClosedAfterUseNeverRunOut() {
        connection.set(key, "a", TTL, UTF8);
        for (int i = 0; i < 10; i++) {
            try (MemcachedConnection each = factory.getConnection()) {
                assertThat(each.get(key, UTF8)).isEqualTo("a");
            }
        }
    }

    @Test
    void closingAHandleTwiceDoesNothing() {
        connection.close();
        connection.close();
        if (mode == Mode.POOLED) {
            assertThatThrownBy(() -> connection.get(key, UTF8))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned to the pool");
        } else {
            assertThat(connection.get(key, UTF8)).isNull();
        }
    }

    @Test
    void aClosedFactoryFailsEveryCallAtOnce() {
        factory.close();
        factory.close();
        assertThatThrownBy(() -> connection.get(key, UTF8)).isInstanceOf(MemcachedConnectionException.class);
        assertThatThrownBy(() -> factory.getConnection().get(key, UTF8))
                .isInstanceOf(MemcachedConnectionException.class);
    }
}
