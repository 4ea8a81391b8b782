// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of each operation on one key or on many. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosen")
class ItemOperationsIT extends OperationsFixture {

    ItemOperationsIT(ClientVariant variant) {
        super(variant);
    }

    @Test
    void getReturnsTheStoredValueAndNullOnAMiss() {
        assertThat(client.get(key("a"))).isNull();
        client.set(key("a"), "one", HOUR);
        assertThat(client.get(key("a"))).isEqualTo("one");
        client.set(key("a"), "", HOUR);
        assertThat(client.get(key("a"))).isEmpty();
        client.set(key("a"), "\r\nEND\r\n\u20ac", TimeToLive.NEVER);
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
    void addStoresOnlyAMissingItem() {
        assertThat(client.add(key("a"), "one", HOUR)).isTrue();
        assertThat(client.add(key("a"), "two", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isEqualTo("one");
    }

    @Test
    void replaceStoresOnlyAnExistingItem() {
        assertThat(client.replace(key("a"), "one", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isNull();
        client.set(key("a"), "one", HOUR);
        assertThat(client.replace(key("a"), "two", HOUR)).isTrue();
        assertThat(client.get(key("a"))).isEqualTo("two");
    }

    @Test
    void appendOrPrependThatMakesAnItemTooLargeFails() {
        String half = "x".repeat(700_000);
        client.set(key("a"), half, HOUR);
        assertThat(client.append(key("a"), half)).isFalse();
        assertThat(client.prepend(key("a"), half)).isFalse();
        assertThat(client.get(key("a"))).hasSize(700_000);
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

    /** The server joins bytes: a compressed or framed value would be unreadable afterwards. */
    @Test
    void valuesThatCannotBeJoinedAreNotAppended() {
        Map<Transcoder<?>, Object> values = Map.of(
                Compression.gzip().around(Transcoder.bytes()),
                "abc".getBytes(UTF_8),
                Compression.zlib().thresholdBytes(1).around(Transcoder.utf8()),
                "abc",
                CompatibleTranscoder.spymemcached(),
                "abc",
                CompatibleTranscoder.whalin().only(Long.class),
                7L,
                Transcoder.utf8().optional(),
                Optional.of("abc"),
                Transcoder.counter(),
                12L);
        values.forEach((transcoder, value) -> assertRefused(key("a"), transcoder, value));
    }

    @SuppressWarnings("unchecked")
    private <V> void assertRefused(String key, Transcoder<V> transcoder, Object value) {
        MemcachedClient<V> typed = client.withTranscoder(transcoder);
        V stored = (V) value;
        typed.set(key, stored, HOUR);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> typed.append(key, stored),
                () -> typed.prepend(key, stored),
                () -> typed.meta().set(SetRequest.of(key, stored).appending()))) {
            assertThatExceptionOfType(MemcachedUnsupportedException.class)
                    .isThrownBy(call)
                    .withMessageContaining("use a client with Transcoder.bytes() or utf8() for this key");
        }
        assertThat(typed.get(key)).isEqualTo(stored);
    }

    @Test
    void casStoresOnlyAnUnchangedItem() {
        assertThat(client.gets(key("a"))).isNull();
        assertThat(client.cas(key("a"), "x", 4711, HOUR)).isEqualTo(WriteStatus.NOT_FOUND);
        client.set(key("a"), "one", HOUR);
        CasValue<String> one = client.gets(key("a"));
        assertThat(one.value()).isEqualTo("one");
        assertThat(client.cas(key("a"), "two", one.casUnique(), HOUR)).isEqualTo(WriteStatus.DONE);
        assertThat(client.cas(key("a"), "three", one.casUnique(), HOUR)).isEqualTo(WriteStatus.EXISTS);
        CasValue<String> two = client.gets(key("a"));
        assertThat(two.value()).isEqualTo("two");
        assertThat(two.casUnique()).isNotEqualTo(one.casUnique());
        client.delete(key("a"));
        assertThat(client.cas(key("a"), "four", two.casUnique(), HOUR)).isEqualTo(WriteStatus.NOT_FOUND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.cas(key("a"), "any", 0, HOUR))
                .withMessageContaining("casUnique is 0");
    }

    @Test
    void deleteReturnsWhetherTheItemExisted() {
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
        assertThat(client.get(key("n")).strip()).isEqualTo("9");
        assertThat(client.incr(key("n"), 0)).hasValue(9);
        assertThat(client.incr(key("n"), 1)).hasValue(10);
        assertThat(client.get(key("n"))).isEqualTo("10");
    }

    @Test
    void incrWrapsAt2To64AndDecrStopsAt0() {
        LargeNumbers.count(key("n"), key -> {
            client.set(key, "18446744073709551614", HOUR);
            assertThat(Long.toUnsignedString(client.incr(key, 1).orElseThrow())).isEqualTo("18446744073709551615");
            assertThat(client.incr(key, 1)).hasValue(0);
            client.set(key, "9223372036854775807", HOUR);
            assertThat(Long.toUnsignedString(client.incr(key, 1).orElseThrow())).isEqualTo("9223372036854775808");
            assertThat(client.decr(key, Long.MAX_VALUE)).hasValue(1);
            assertThat(client.decr(key, 2)).hasValue(0);
        });
    }

    @Test
    void negativeDeltasAreRefused() {
        client.set(key("n"), "0", HOUR);
        Map<Runnable, String> calls = Map.of(
                () -> client.incr(key("n"), -1), "call decr with a positive delta",
                () -> client.incr(key("n"), -1, 0, HOUR), "call decr with a positive delta",
                () -> client.decr(key("n"), -1), "call incr with a positive delta",
                () -> client.decr(key("n"), -1, 0, HOUR), "call incr with a positive delta");
        calls.forEach((call, text) -> assertThat(catchThrowable(call::run))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("delta is -1, but must be 0 or more: " + text));
        assertThat(client.get(key("n"))).isEqualTo("0");
    }

    @Test
    void incrAndDecrCreateAMissingItemWithItsInitial() {
        if (isClassic()) {
            incrWithAnInitialIsUnsupported();
            return;
        }
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(100);
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(103);
        expiresWithin(key("n"), HOUR);
        assertThat(client.decr(key("m"), 3, 5, TimeToLive.NEVER)).isEqualTo(5);
        assertThat(client.decr(key("m"), 3, 5, TimeToLive.NEVER)).isEqualTo(2);
        assertThat(ttlSeconds(key("m"))).isEqualTo(-1);
        assertThat(Long.toUnsignedString(client.incr(key("u"), 1, -1, HOUR))).isEqualTo("18446744073709551615");
    }

    private void incrWithAnInitialIsUnsupported() {
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client.incr(key("n"), 3, 100, HOUR))
                .withMessageContaining("call add and omit the initial value");
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> client.decr(key("n"), 3, 100, HOUR));
        assertThat(client.get(key("n"))).isNull();
        assertThat(connection().state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void incrOfAnItemWithoutANumberFailsAndKeepsTheConnection() {
        client.set(key("a"), "no number", HOUR);
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> client.incr(key("a"), 1))
                .withMessageContaining("CLIENT_ERROR cannot increment or decrement non-numeric value")
                .withMessageContaining(verb("ma ", "incr "));
        assertThat(client.get(key("a"))).isEqualTo("no number");
        assertThat(connection().state()).isEqualTo(ConnectionState.READY);
    }

    @Test
    void touchSetsTheTimeToLive() {
        assertThat(client.touch(key("a"), HOUR)).isFalse();
        client.set(key("a"), "one", TimeToLive.NEVER);
        assertThat(ttlSeconds(key("a"))).isEqualTo(-1);
        assertThat(client.touch(key("a"), HOUR)).isTrue();
        expiresWithin(key("a"), HOUR);
        assertThat(client.touch(key("a"), TimeToLive.NEVER)).isTrue();
        assertThat(ttlSeconds(key("a"))).isEqualTo(-1);
        assertThat(client.get(key("a"))).isEqualTo("one");
    }

    @Test
    void getAndTouchReadsAndSetsTheTimeToLive() {
        assertThat(client.getAndTouch(key("a"), HOUR)).isNull();
        client.set(key("a"), "one", TimeToLive.NEVER);
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

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.001S"})
    void timesToLiveOfZeroOrLessAreRefused(Duration ttl) {
        Stream.<Runnable>of(
                        () -> client.set(key("a"), "one", ttl),
                        () -> client.add(key("a"), "one", ttl),
                        () -> client.replace(key("a"), "one", ttl),
                        () -> client.cas(key("a"), "one", 1, ttl),
                        () -> client.multiSet(Map.of(key("a"), "one"), ttl),
                        () -> client.touch(key("a"), ttl),
                        () -> client.getAndTouch(key("a"), ttl),
                        () -> client.incr(key("a"), 1, 1, ttl),
                        () -> client.decr(key("a"), 1, 1, ttl),
                        () -> client.getOrLoad(key("a"), ttl, key -> {
                            throw new AssertionError("loads");
                        }))
                .forEach(call -> assertThat(catchThrowable(call::run))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("ttl is " + ttl)
                        .hasMessageContaining("TimeToLive.NEVER"));
        assertThat(client.get(key("a"))).isNull();
    }

    /** Such as a security token that expires now: neither it nor the one before may be read any more. */
    @ParameterizedTest
    @ValueSource(strings = {"PT-1H", "PT0S", "PT0.5S"})
    void expiredValueReplacesTheOldOneAndCannotBeRead(Duration left) {
        Map<String, Consumer<Duration>> calls = Map.of(
                "set", expiry -> client.set(key("set"), "new", expiry),
                "replace", expiry -> client.replace(key("replace"), "new", expiry),
                "cas",
                        expiry -> client.cas(
                                key("cas"), "new", client.gets(key("cas")).casUnique(), expiry),
                "multi", expiry -> client.multiSet(Map.of(key("multi"), "new"), expiry),
                "touch", expiry -> client.touch(key("touch"), expiry),
                "get", expiry -> client.getAndTouch(key("get"), expiry));
        calls.forEach((name, call) -> {
            client.set(key(name), "old", HOUR);
            call.accept(TimeToLive.until(Instant.now().plus(left)));
            assertThat(client.get(key(name))).as(name).isNull();
        });
        assertThat(client.add(key("add"), "new", TimeToLive.until(Instant.now().plus(left))))
                .isTrue();
        assertThat(client.get(key("add"))).isNull();
    }

    @Test
    void versionIsTheServers() {
        assertThat(client.version()).matches("\\d+\\.\\d+\\..*");
    }

    // Many keys.

    @Test
    void multiGetReportsEachDistinctKey() {
        client.set(key("a"), "one", HOUR);
        client.set(key("b"), "", HOUR);
        MultiGetResult<String> result =
                client.multiGet(Arrays.asList(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.hits()).containsOnlyKeys(key("a"), key("b"));
        assertThat(result.hits()).containsEntry(key("a"), "one").containsEntry(key("b"), "");
        assertThat(result.misses()).containsExactly(key("miss"));
        assertThat(result.failures()).isEmpty();
        assertThat(result.hitsOrThrow()).isEqualTo(result.hits());
        assertThat(client.multiGet(List.of()).hits()).isEmpty();
    }

    /** Returns two keys and these many misses between them: few have a reply each, more have none. */
    private List<String> keysAround(int misses) {
        List<String> keys = new ArrayList<>(List.of(key("a")));
        for (int i = 0; i < misses; i++) {
            keys.add(key("miss" + i));
        }
        keys.add(key("b"));
        return keys;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void multiGetsReturnsEachCasUnique(int misses) {
        client.multiSet(Map.of(key("a"), "one", key("b"), ""), HOUR);
        List<String> keys = keysAround(misses);
        MultiGetResult<CasValue<String>> result = client.multiGets(keys);

        assertThat(result.hitsOrThrow())
                .isEqualTo(Map.of(key("a"), client.gets(key("a")), key("b"), client.gets(key("b"))));
        assertThat(result.misses()).containsExactlyElementsOf(keys.subList(1, misses + 1));
        long casUnique = result.hits().get(key("a")).casUnique();
        assertThat(client.cas(key("a"), "two", casUnique, HOUR)).isEqualTo(WriteStatus.DONE);
        assertThat(client.cas(key("a"), "three", casUnique, HOUR)).isEqualTo(WriteStatus.EXISTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void multiGetAndTouchSetsEachTimeToLive(int misses) {
        client.multiSet(Map.of(key("a"), "one", key("b"), "two"), TimeToLive.NEVER);
        List<String> keys = keysAround(misses);
        MultiGetResult<String> result = client.multiGetAndTouch(keys, HOUR);

        assertThat(result.hitsOrThrow()).isEqualTo(Map.of(key("a"), "one", key("b"), "two"));
        assertThat(result.misses()).containsExactlyElementsOf(keys.subList(1, misses + 1));
        expiresWithin(key("a"), HOUR);
        expiresWithin(key("b"), HOUR);
    }

    @Test
    void multiSetStoresEachValueWithItsTimeToLive() {
        client.set(key("a"), "old", TimeToLive.NEVER);
        Map<String, String> values = new LinkedHashMap<>();
        values.put(key("a"), "one");
        values.put(key("\u00fc"), "");
        values.put(key("c"), "\r\nmn\r\n");
        MultiWriteResult result = client.multiSet(values, HOUR);

        assertThat(result.done()).containsExactlyElementsOf(values.keySet());
        assertThat(result.failures()).isEmpty();
        assertThat(result.doneOrThrow()).isEqualTo(result.done());
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);
        expiresWithin(key("a"), HOUR);
        expiresWithin(key("c"), HOUR);
        assertThat(client.multiSet(Map.of(), HOUR).done()).isEmpty();
    }

    @Test
    void multiDeleteReportsWhetherEachItemExisted() {
        client.multiSet(Map.of(key("a"), "one", key("b"), "two", key("kept"), "three"), HOUR);
        MultiWriteResult result =
                client.multiDelete(Arrays.asList(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.done()).containsExactly(key("a"), key("b"));
        assertThat(result.misses()).containsExactly(key("miss"));
        assertThat(result.failures()).isEmpty();
        assertThat(result.doneOrThrow()).isEqualTo(result.done());
        assertThat(client.multiGet(List.of(key("a"), key("b"), key("kept"))).hitsOrThrow())
                .containsOnlyKeys(key("kept"));
        assertThat(client.multiDelete(List.of()).done()).isEmpty();
    }

    @Test
    void multiOperationsOfAnySizeReportEachKey() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 1_000; i++) {
            values.put(key("bulk" + i), "value " + i + " " + "x".repeat(i % 400 == 0 ? 100_000 : i % 300));
        }
        assertThat(client.multiSet(values, HOUR).doneOrThrow()).hasSize(1_000);
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);

        List<String> keys = new ArrayList<>(values.keySet());
        keys.add(234, key("bulkmiss"));
        MultiWriteResult deleted = client.multiDelete(keys);
        assertThat(deleted.done()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key("bulkmiss"));
        assertThat(deleted.failures()).isEmpty();
        assertThat(client.multiGet(keys).misses()).hasSize(1_001);
        assertThat(connection().inFlight()).isZero();
    }
}
