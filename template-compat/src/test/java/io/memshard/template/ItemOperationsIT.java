// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations on items, over every engine and mode, by each way to call them. */
class ItemOperationsIT {

    /** Way to call an operation. */
    enum Way {
        TEMPLATE,
        HANDLE,
        ASYNC
    }

    static Stream<Arguments> usual() {
        return variants(false);
    }

    static Stream<Arguments> deep() {
        return variants(true);
    }

    private static Stream<Arguments> variants(boolean deep) {
        return Arrays.stream(Variant.values())
                .filter(variant -> variant.name().matches(Variant.DEEP) == deep)
                .flatMap(variant -> Arrays.stream(Way.values()).map(way -> Arguments.of(variant, way)));
    }

    @Nested
    @ParameterizedClass
    @MethodSource("io.memshard.template.ItemOperationsIT#usual")
    class Usual extends Contract {
        Usual(Variant variant, Way way) {
            super(variant, way);
        }
    }

    @Nested
    @Tag("deep")
    @ParameterizedClass
    @MethodSource("io.memshard.template.ItemOperationsIT#deep")
    class Deep extends Contract {
        Deep(Variant variant, Way way) {
            super(variant, way);
        }
    }

    @MemcachedTest
    abstract static class Contract {

        private static final Duration TTL = Duration.ofMinutes(1);
        private static final String TOO_LARGE = "x".repeat(2 * 1024 * 1024);

        private final Variant variant;
        private final Way way;
        private final String key = Variant.newKey();

        private LeakCheck leakCheck;
        private MemcachedConnectionFactory factory;
        private MemcachedConnection handle;
        private MemcachedClient<String> client;

        Contract(Variant variant, Way way) {
            this.variant = variant;
            this.way = way;
        }

        @BeforeEach
        void open(MemcachedServer server) {
            leakCheck = variant.startLeakCheck();
            factory = variant.open(server);
            handle = factory.getConnection();
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            client = switch (way) {
                case TEMPLATE -> template;
                case HANDLE -> handle.client(Transcoder.utf8());
                case ASYNC -> AsyncAsBlocking.of(template.async());
            };
        }

        @AfterEach
        void leavesNothing() {
            if (factory != null) {
                handle.close();
                factory.close();
                leakCheck.assertNothingLeft();
            }
        }

        @Test
        void getReturnsTheStoredValue() {
            assertThat(client.get(key)).isNull();
            client.set(key, "héllo", TTL);
            assertThat(client.get(key)).isEqualTo("héllo");
            assertThat(handle.get(key, Transcoder.utf8())).isEqualTo("héllo");
            handle.set(key, "", TimeToLive.NEVER, Transcoder.utf8());
            assertThat(client.get(key)).isEmpty();
            assertThat(client.withTimeout(TTL).get(key)).isEmpty();
        }

        @Test
        void largeValuesWithLineEndsAreReadBackWhole() {
            byte[] value = new byte[200_000];
            for (int i = 0; i < value.length; i++) {
                value[i] = (byte) (i % 7 == 0 ? '\r' : i % 7 == 1 ? '\n' : i);
            }
            MemcachedClient<byte[]> bytes = client.withTranscoder(Transcoder.bytes());
            bytes.set(key, value, TTL);
            assertThat(bytes.get(key)).isEqualTo(value);
        }

        @Test
        void manyKeysAreAccountedForEach() {
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 0; i < 500; i++) {
                values.put(key + ':' + i, "value " + i);
            }
            MultiWriteResult set = client.multiSet(values, TTL);
            assertThat(set.done()).isEqualTo(values.keySet());
            assertThat(set.failures()).isEmpty();
            List<String> keys = new ArrayList<>(values.keySet());
            keys.add(key);
            keys.add(key);
            MultiGetResult<String> got = client.multiGet(keys);
            assertThat(got.hitsOrThrow()).isEqualTo(values);
            assertThat(got.misses()).containsExactly(key);

            MultiWriteResult deleted = client.multiDelete(keys);
            assertThat(deleted.doneOrThrow()).isEqualTo(values.keySet());
            assertThat(deleted.misses()).containsExactly(key);
            assertThat(client.multiGet(keys).misses()).hasSize(501);
            assertThat(client.multiGet(List.of()).hits()).isEmpty();
        }

        @Test
        void illegalKeysAmongManyFailAlone() {
            MultiWriteResult set =
                    client.multiSet(Map.of(key, "one", key + " b", TOO_LARGE, key + ":large", TOO_LARGE), TTL);
            assertThat(set.done()).containsExactly(key);
            assertThat(set.failures()).containsOnlyKeys(key + " b", key + ":large");
            assertThat(set.failures().get(key + ":large")).isInstanceOf(MemcachedValueTooLargeException.class);
            assertThat(set.failures().get(key + " b")).isInstanceOf(MemcachedIllegalKeyException.class);
            assertThatExceptionOfType(MemcachedException.class).isThrownBy(set::doneOrThrow);
            MultiGetResult<String> got = client.multiGet(List.of("", key, key + ":miss", "a\nb"));
            assertThat(got.hits()).isEqualTo(Map.of(key, "one"));
            assertThat(got.misses()).containsExactly(key + ":miss");
            areIllegal(got.failures(), "", "a\nb");
            areIllegal(client.multiGet(List.of("a\nb")).failures(), "a\nb");
            MultiWriteResult deleted = client.multiDelete(List.of(key + ":miss", "", key));
            assertThat(deleted.done()).containsExactly(key);
            assertThat(deleted.misses()).containsExactly(key + ":miss");
            areIllegal(deleted.failures(), "");
        }

        private static void areIllegal(Map<String, MemcachedException> failures, String... keys) {
            assertThat(failures).containsOnlyKeys(keys);
            assertThat(failures.values()).hasOnlyElementsOfType(MemcachedIllegalKeyException.class);
        }

        @Test
        void aValueThatCannotBeDecodedFailsItsKeyOnly() {
            client.set(key, "no number", TTL);
            client.set(key + ":2", "2", TTL);
            MemcachedClient<Long> numbers = client.withTranscoder(Transcoder.counter());
            for (ThrowingCallable read : List.<ThrowingCallable>of(
                    () -> numbers.get(key), () -> numbers.gets(key), () -> numbers.getAndTouch(key, TTL))) {
                assertThatExceptionOfType(MemcachedDecodingException.class)
                        .isThrownBy(read)
                        .withMessageContaining(key)
                        .satisfies(e -> assertThat(e.getCause()).hasMessage("java.lang.NumberFormatException"))
                        .satisfies(e -> assertThat(e.key()).isEqualTo(key));
            }
            MultiGetResult<Long> all = numbers.multiGet(List.of(key, key + ":2", key + ":3"));
            assertThat(all.hits()).containsOnly(Map.entry(key + ":2", 2L));
            assertThat(all.misses()).containsExactly(key + ":3");
            assertThat(all.failures()).containsOnlyKeys(key);
            assertThat(client.get(key)).isEqualTo("no number");
        }

        @Test
        void addAndReplaceReturnWhetherTheyStored() {
            assertThat(client.replace(key, "a", TTL)).isFalse();
            assertThat(client.add(key, "b", TTL)).isTrue();
            assertThat(client.add(key, "c", TTL)).isFalse();
            assertThat(client.replace(key, "d", TTL)).isTrue();
            assertThat(client.get(key)).isEqualTo("d");
        }

        @Test
        void appendAndPrependNeedAnItem() {
            assertThat(client.append(key, "x")).isFalse();
            assertThat(client.prepend(key, "x")).isFalse();
            client.set(key, "b", TTL);
            assertThat(client.append(key, "c")).isTrue();
            assertThat(client.prepend(key, "a")).isTrue();
            assertThat(client.get(key)).isEqualTo("abc");
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(
                            () -> client.withTranscoder(Transcoder.counter()).append(key, 1L));
        }

        @Test
        void casStoresOnlyAnUnchangedItem() {
            assertThat(client.gets(key)).isNull();
            client.set(key, "a", TTL);
            CasValue<String> read = client.gets(key);
            assertThat(read.value()).isEqualTo("a");
            assertThat(client.cas(key, "b", read.casUnique(), TTL)).isEqualTo(WriteStatus.DONE);
            assertThat(client.cas(key, "b", read.casUnique(), TTL)).isEqualTo(WriteStatus.EXISTS);
            assertThat(client.cas(key + ".none", "b", read.casUnique(), TTL)).isEqualTo(WriteStatus.NOT_FOUND);
            for (String each : List.of(key, key + ".none")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> client.cas(each, "mine", 0, TTL))
                        .withMessage("casUnique is 0: pass the casUnique that gets() returned; a server without cas"
                                + " (memcached -C) always returns 0");
            }
            assertThat(client.get(key)).isEqualTo("b");
            assertThat(client.get(key + ".none")).isNull();
        }

        /** Covers flags and cas uniques: if the server rejects a line, it executes the value after it as commands. */
        @Test
        void highestBitReachesTheServerOrNothingDoes() {
            client.set(key, "mine", TTL);
            MemcachedClient<EncodedValue> stored = client.withTranscoder(Transcoder.asStored());
            byte[] data = ("delete " + key).getBytes(StandardCharsets.UTF_8);
            EncodedValue value = new EncodedValue(data, Integer.MIN_VALUE);
            EncodedValue harmless = new EncodedValue(data, 0x1234567);
            stored.set(key + ".flags", harmless, TTL);
            assertThat(stored.get(key + ".flags").flags()).isEqualTo(0x1234567);
            if (variant.engine == Engine.SPYMEMCACHED) {
                assertThatIllegalArgumentException().isThrownBy(() -> stored.set(key + ".flags", value, TTL));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> stored.cas(key + ".cas", harmless, Long.MIN_VALUE, TTL));
            } else {
                stored.set(key + ".flags", value, TTL);
                assertThat(stored.get(key + ".flags").flags()).isEqualTo(Integer.MIN_VALUE);
                assertThat(stored.cas(key + ".cas", harmless, Long.MIN_VALUE, TTL))
                        .isEqualTo(WriteStatus.NOT_FOUND);
            }
            assertThat(client.get(key)).isEqualTo("mine");
        }

        @Test
        void deleteAndTouchReturnWhetherTheItemExisted() {
            assertThat(client.delete(key)).isFalse();
            assertThat(client.touch(key, TTL)).isFalse();
            client.set(key, "a", TTL);
            assertThat(client.touch(key, Duration.ofDays(60))).isTrue();
            assertThat(client.get(key)).isEqualTo("a");
            assertThat(client.delete(key)).isTrue();
            assertThat(client.get(key)).isNull();
        }

        @Test
        void countersCountAndAreCreatedOnRequest() {
            assertThat(client.incr(key, 1)).isEmpty();
            assertThat(client.decr(key, 1)).isEmpty();
            assertThat(client.incr(key, 5, 100, TTL)).isEqualTo(100);
            assertThat(client.incr(key, 5, 100, TTL)).isEqualTo(105);
            assertThat(client.incr(key, 5)).hasValue(110);
            assertThat(client.decr(key, 101)).hasValue(9);
            assertThat(client.withTranscoder(Transcoder.counter()).get(key)).isEqualTo(9);
            assertThat(client.decr(key, 20, 7, TTL)).isEqualTo(0);
            assertThat(client.decr(key + ".b", 20, 7, TTL)).isEqualTo(7);
            client.set(key, "word", TTL);
            assertThatExceptionOfType(MemcachedServerException.class)
                    .isThrownBy(() -> client.incr(key, 1))
                    .withMessageContaining("on-numeric");
        }

        @Test
        void getAndTouchReturnsTheValueAndProlongsIt(MemcachedServer server) {
            assertThat(client.getAndTouch(key, TTL)).isNull();
            client.set(key, "a", TTL);
            assertThat(client.getAndTouch(key, TTL.multipliedBy(2))).isEqualTo("a");
            try (MemcachedConnectionFactory asking = Variant.DEEP_MEMSHARD_SINGLE.open(server)) {
                GetRequest get = GetRequest.of(key).returning(ItemField.TTL);
                assertThat(asking.getConnection()
                                .client(Transcoder.utf8())
                                .meta()
                                .get(get)
                                .ttl()
                                .orElseThrow())
                        .isGreaterThan(TTL);
            }
        }

        @Test
        void versionIsTheServers() {
            assertThat(client.version()).matches("\\d+\\.\\d+\\..*");
        }

        @Test
        void badKeysAreRefusedBeforeAnythingIsSent() {
            client.set(key, "mine", TTL);
            for (String bad : List.of("", "a b", "a\r\ndelete " + key, "a\u0000", "k".repeat(251), "é".repeat(126))) {
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> client.get(bad),
                        () -> handle.get(bad, Transcoder.utf8()),
                        () -> client.gets(bad),
                        () -> client.getAndTouch(bad, TTL),
                        () -> client.set(bad, "v", TTL),
                        () -> handle.set(bad, "v", TTL, Transcoder.utf8()),
                        () -> client.set(bad, TOO_LARGE, TTL),
                        () -> client.add(bad, "v", TTL),
                        () -> client.replace(bad, "v", TTL),
                        () -> client.append(bad, "v"),
                        () -> client.prepend(bad, "v"),
                        () -> client.cas(bad, "v", 1, TTL),
                        () -> client.update(bad, TTL, old -> "v"),
                        () -> client.delete(bad),
                        () -> client.touch(bad, TTL),
                        () -> client.incr(bad, 1),
                        () -> client.incr(bad, 1, 1, TTL),
                        () -> client.decr(bad, 1),
                        () -> client.decr(bad, 1, 1, TTL))) {
                    assertThatIllegalArgumentException().isThrownBy(call);
                }
            }
            assertThatNullPointerException().isThrownBy(() -> client.get(null));
            assertThat(client.get(key)).isEqualTo("mine");
        }

        @Test
        void illegalNumbersAndTimesAreRefused() {
            client.set(key, "5", TTL);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.incr(key, -1))
                    .withMessageContaining("call decr with a positive delta");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.decr(key, -1))
                    .withMessageContaining("call incr with a positive delta");
            assertThatIllegalArgumentException().isThrownBy(() -> client.incr(key, -1, 1, TTL));
            assertThatIllegalArgumentException().isThrownBy(() -> client.decr(key, -1, 1, TTL));
            for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> client.set(key, "v", ttl),
                        () -> client.add(key, "v", ttl),
                        () -> client.replace(key, "v", ttl),
                        () -> client.cas(key, "v", 1, ttl),
                        () -> client.multiSet(Map.of(key, "v"), ttl),
                        () -> client.touch(key, ttl),
                        () -> client.getAndTouch(key, ttl),
                        () -> client.incr(key, 1, 1, ttl),
                        () -> client.decr(key, 1, 1, ttl))) {
                    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining("TimeToLive.NEVER");
                }
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> client.withTimeout(ttl))
                        .withMessageContaining("timeout is " + ttl);
            }
            assertThat(client.get(key)).isEqualTo("5");
        }

        @Test
        void expiredValueReplacesTheOldOneAndCannotBeRead() {
            Duration over = TimeToLive.until(Instant.now());
            for (Consumer<String> write : List.<Consumer<String>>of(
                    each -> client.set(each, "new", over),
                    each -> assertThat(client.touch(each, over)).isTrue(),
                    each -> client.multiSet(Map.of(each, "new"), over).doneOrThrow())) {
                client.set(key, "old", TTL);
                write.accept(key);
                assertThat(client.get(key)).isNull();
            }
            assertThat(client.add(key, "new", over)).isTrue();
            assertThat(client.get(key)).isNull();
            assertThat(client.incr(key, 1, 5, over)).isEqualTo(5);
            assertThat(client.incr(key, 1)).isEmpty();
        }

        @Test
        void valuesThatAreTooLargeDeleteTheOldOnes() {
            client.set(key, "old", TTL);
            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(() -> client.set(key, TOO_LARGE, TTL))
                    .withMessageContaining("maxValueBytes=1048576");
            assertThat(client.get(key)).isNull();
            // Fits this side's limit; with its header it is above the server's.
            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(() -> client.set(key, "x".repeat(1 << 20), TTL));
        }

        @Test
        void valuesThatTheSerializerRejectsDeleteTheOldOnes() {
            MemcachedClient<String> limited = client.withTranscoder(
                    Compression.gzip().thresholdBytes(10).maxBytes(20).around(Transcoder.utf8()));
            String tooLarge = "x".repeat(21);
            client.multiSet(Map.of(key, "old", key + "2", "old", key + "3", "old"), TTL)
                    .doneOrThrow();
            assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                    .isThrownBy(() -> limited.set(key, tooLarge, TTL))
                    .withMessageContaining("Compression.maxBytes");
            MultiWriteResult result = limited.multiSet(Map.of(key + "2", tooLarge, key + "3", "new"), TTL);
            assertThat(result.failures()).containsOnlyKeys(key + "2");
            assertThat(client.multiGet(List.of(key, key + "2", key + "3")).hits())
                    .containsExactly(Map.entry(key + "3", "new"));
        }

        @Test
        void updateStoresTheChangedValue() {
            assertThat(client.update(key, TTL, old -> old == null ? "a" : "wrong"))
                    .isEqualTo("a");
            assertThat(client.update(key, TTL, old -> old + "b")).isEqualTo("ab");
            assertThat(client.update(key, TTL, old -> null)).isNull();
            assertThat(client.get(key)).isEqualTo("ab");
        }

        @Test
        void callsThatTheEngineLacksAreUnsupported() {
            client.set(key, "5", TTL);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> client.invalidate(key, TTL),
                    () -> client.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                            .get(key),
                    () -> client.multiGets(List.of(key)),
                    () -> client.multiGetAndTouch(List.of(key), TTL),
                    () -> client.withKeyPrefix("prefix:").get(key))) {
                if (variant.engine == Engine.SPYMEMCACHED) {
                    assertThatExceptionOfType(MemcachedUnsupportedException.class)
                            .isThrownBy(call)
                            .withMessageContaining("use engine MEMSHARD");
                } else {
                    assertThatCode(call).doesNotThrowAnyException();
                }
            }
        }
    }
}
