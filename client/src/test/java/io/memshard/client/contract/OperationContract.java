// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.contract.Subject.Speech;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of each operation on one key, over any client; those of many keys and of values come with it. */
public abstract class OperationContract extends ManyKeysContract {

    @Test
    void getReturnsTheStoredValueAndNullOnAMiss() {
        assertThat(client.get(key("a"))).isNull();
        for (String value : List.of("one", "", "\r\nEND\r\n\u20ac")) {
            client.set(key("a"), value, value.isEmpty() ? TimeToLive.NEVER : HOUR);
            assertThat(client.get(key("a"))).isEqualTo(value);
            assertThat(client.withTimeout(HOUR).get(key("a"))).isEqualTo(value);
        }
    }

    @Test
    void addNeedsAMissingItemAndReplaceAnExistingOne() {
        assertThat(client.replace(key("a"), "none", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isNull();
        assertThat(client.add(key("a"), "one", HOUR)).isTrue();
        assertThat(client.add(key("a"), "two", HOUR)).isFalse();
        assertThat(client.get(key("a"))).isEqualTo("one");
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
        assertUnsupported(
                "use a client with Transcoder.bytes() or utf8() for this key",
                () -> typed.append(key, stored),
                () -> typed.prepend(key, stored));
        assertUnsupported(
                speech() == Speech.SPYMEMCACHED ? lack() : "use a client with Transcoder.bytes()",
                () -> typed.meta().set(SetRequest.of(key, stored).appending()));
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
    }

    @Test
    void casUniqueOfAServerWithoutCasIsRefused() {
        client.set(key("a"), "one", HOUR);
        for (String each : List.of(key("a"), key("none"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.cas(each, "mine", 0, HOUR))
                    .withMessage("casUnique is 0: pass the casUnique that gets() returned; a server without cas"
                            + " (memcached -C) always returns 0");
        }
        assertThat(client.get(key("a"))).isEqualTo("one");
        assertThat(client.get(key("none"))).isNull();
    }

    @Test
    void updateStoresTheChangedValue() {
        assertThat(client.update(key("a"), HOUR, old -> old == null ? "a" : "wrong"))
                .isEqualTo("a");
        assertThat(client.update(key("a"), HOUR, old -> old + "b")).isEqualTo("ab");
        assertThat(client.update(key("a"), HOUR, old -> null)).isNull();
        assertThat(client.get(key("a"))).isEqualTo("ab");
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
        assertThat(client.withTranscoder(Transcoder.counter()).get(key("n"))).isEqualTo(9);
        assertThat(client.incr(key("n"), 0)).hasValue(9);
        assertThat(client.incr(key("n"), 1)).hasValue(10);
        assertThat(client.get(key("n"))).isEqualTo("10");
        assertThat(client.decr(key("n"), 20)).hasValue(0);
    }

    @Test
    void incrWrapsAt2To64AndDecrStopsAt0() {
        if (speech() == Speech.SPYMEMCACHED) {
            return; // That client reads signed numbers.
        }
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
        Map<ThrowingCallable, String> calls = Map.of(
                () -> client.incr(key("n"), -1), "call decr with a positive delta",
                () -> client.incr(key("n"), -1, 0, HOUR), "call decr with a positive delta",
                () -> client.decr(key("n"), -1), "call incr with a positive delta",
                () -> client.decr(key("n"), -1, 0, HOUR), "call incr with a positive delta");
        calls.forEach((call, text) -> assertThatIllegalArgumentException()
                .isThrownBy(call)
                .withMessageStartingWith("delta is -1, but must be 0 or more: " + text));
        assertThat(client.get(key("n"))).isEqualTo("0");
    }

    @Test
    void incrAndDecrCreateAMissingItemWithItsInitial() {
        if (speech() == Speech.CLASSIC) {
            assertUnsupported(
                    "call add and omit the initial value",
                    () -> client.incr(key("n"), 3, 100, HOUR),
                    () -> client.decr(key("n"), 3, 100, HOUR));
            assertThat(client.get(key("n"))).isNull();
            return;
        }
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(100);
        assertThat(client.incr(key("n"), 3, 100, HOUR)).isEqualTo(103);
        expiresWithin(key("n"), HOUR);
        assertThat(client.decr(key("m"), 3, 5, TimeToLive.NEVER)).isEqualTo(5);
        assertThat(client.decr(key("m"), 3, 5, TimeToLive.NEVER)).isEqualTo(2);
        assertThat(client.decr(key("m"), 3, 5, TimeToLive.NEVER)).isEqualTo(0);
        neverExpires(key("m"));
        Duration over = TimeToLive.until(Instant.now());
        assertThat(client.incr(key("over"), 1, 5, over)).isEqualTo(5);
        assertThat(client.incr(key("over"), 1)).isEmpty();
        if (speech() == Speech.META) {
            assertThat(Long.toUnsignedString(client.incr(key("u"), 1, -1, HOUR)))
                    .isEqualTo("18446744073709551615");
        }
    }

    @Test
    void incrOfAnItemWithoutANumberFailsAndKeepsTheConnection() {
        client.set(key("a"), "no number", HOUR);
        assertThatExceptionOfType(MemcachedServerException.class)
                .isThrownBy(() -> client.incr(key("a"), 1))
                .withMessageContaining("CLIENT_ERROR cannot increment or decrement non-numeric value")
                .withMessageContaining(verb("ma ", "incr "));
        if (speech() != Speech.SPYMEMCACHED) { // That client reconnects after an error.
            assertThat(client.get(key("a"))).isEqualTo("no number");
        }
    }

    @Test
    void touchSetsTheTimeToLive() {
        assertThat(client.touch(key("a"), HOUR)).isFalse();
        client.set(key("a"), "one", TimeToLive.NEVER);
        neverExpires(key("a"));
        assertThat(client.touch(key("a"), HOUR)).isTrue();
        expiresWithin(key("a"), HOUR);
        assertThat(client.touch(key("a"), TimeToLive.NEVER)).isTrue();
        neverExpires(key("a"));
        assertThat(client.getAndTouch(key("a"), HOUR)).isEqualTo("one");
        expiresWithin(key("a"), HOUR);
        assertThat(client.getAndTouch(key("miss"), HOUR)).isNull();
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
        Stream<ThrowingCallable> calls = Stream.of(
                () -> client.set(key("a"), "one", ttl),
                () -> client.add(key("a"), "one", ttl),
                () -> client.replace(key("a"), "one", ttl),
                () -> client.cas(key("a"), "one", 1, ttl),
                () -> client.multiSet(Map.of(key("a"), "one"), ttl),
                () -> client.touch(key("a"), ttl),
                () -> client.getAndTouch(key("a"), ttl),
                () -> client.incr(key("a"), 1, 1, ttl),
                () -> client.decr(key("a"), 1, 1, ttl));
        Stream<ThrowingCallable> load = Stream.of(() -> client.getOrLoad(key("a"), ttl, key -> {
            throw new AssertionError("loads");
        }));
        Stream.concat(calls, speech() == Speech.SPYMEMCACHED ? Stream.of() : load)
                .forEach(call -> assertThatIllegalArgumentException()
                        .isThrownBy(call)
                        .withMessageContaining("ttl is " + ttl)
                        .withMessageContaining("TimeToLive.NEVER"));
        assertThat(client.get(key("a"))).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.withTimeout(ttl))
                .withMessageContaining("timeout is " + ttl);
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
                "multi",
                        expiry -> client.multiSet(Map.of(key("multi"), "new"), expiry)
                                .doneOrThrow(),
                "touch",
                        expiry -> assertThat(client.touch(key("touch"), expiry)).isTrue(),
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
    void invalidatedValueIsReadUntilOneCallerLoads() {
        if (speech() != Speech.META) {
            assertUnsupported(
                    lack(),
                    () -> client.invalidate(key("a"), HOUR),
                    () -> client.getOrLoad(key("a"), HOUR, key -> "not called"));
            assertThat(client.get(key("a"))).isNull();
            return;
        }
        assertThat(client.invalidate(key("a"), HOUR)).isFalse();
        assertThat(client.getOrLoad(key("a"), HOUR, key -> "of " + key)).isEqualTo("of " + key("a"));
        expiresWithin(key("a"), HOUR);
        assertThat(client.getOrLoad(key("a"), HOUR, key -> "not called")).isEqualTo("of " + key("a"));
        assertThat(client.invalidate(key("a"), Duration.ofMinutes(5))).isTrue();
        expiresWithin(key("a"), Duration.ofMinutes(5));
        assertThat(client.get(key("a"))).isEqualTo("of " + key("a"));
        client.set(key("a"), "new", HOUR);
        assertThat(client.get(key("a"))).isEqualTo("new");
        expiresWithin(key("a"), HOUR);
        assertThat(client.invalidate(key("a"), HOUR)).isTrue();
        assertThat(client.getOrLoad(key("a"), HOUR, key -> "again")).isEqualTo("again");
        assertThat(client.get(key("a"))).isEqualTo("again");
        expiresWithin(key("a"), HOUR);
    }

    @Test
    void settingsThatTheClientLacksAreUnsupported() {
        ThrowingCallable[] calls = {
            () -> client.withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE).get(key("a")),
            () -> client.withKeyPrefix("prefix:").get(key("a"))
        };
        if (speech() == Speech.SPYMEMCACHED) {
            assertUnsupported(lack(), calls);
        } else {
            for (ThrowingCallable call : calls) {
                assertThatCode(call).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void keysMayBeAnyUtf8WithoutBlanks() {
        String longest =
                key("k").concat("k".repeat(250)).substring(0, 250 - stored("").length());
        for (String key : List.of(key("\u00fc\u20ac\ud83d\ude00"), longest)) {
            client.set(key, "v", HOUR);
            assertThat(client.get(key)).isEqualTo("v");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.get(longest + "k"))
                .withMessageContaining("251 bytes");
    }

    @Test
    void badKeysAreRefusedBeforeAnythingIsSent() {
        String key = key("a");
        client.set(key, "mine", HOUR);
        for (String bad : List.of("", "a b", "a\r\ndelete " + key, "a\u0000", "k".repeat(251), "é".repeat(126))) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> client.get(bad),
                    () -> client.gets(bad),
                    () -> client.getAndTouch(bad, HOUR),
                    () -> client.set(bad, "v", HOUR),
                    () -> client.set(bad, TOO_LARGE, HOUR),
                    () -> client.add(bad, "v", HOUR),
                    () -> client.replace(bad, "v", HOUR),
                    () -> client.append(bad, "v"),
                    () -> client.prepend(bad, "v"),
                    () -> client.cas(bad, "v", 1, HOUR),
                    () -> client.update(bad, HOUR, old -> "v"),
                    () -> client.delete(bad),
                    () -> client.touch(bad, HOUR),
                    () -> client.incr(bad, 1),
                    () -> client.incr(bad, 1, 1, HOUR),
                    () -> client.decr(bad, 1),
                    () -> client.decr(bad, 1, 1, HOUR))) {
                assertThatIllegalArgumentException().isThrownBy(call);
            }
        }
        assertThatNullPointerException().isThrownBy(() -> client.get(null));
        assertThat(client.get(key)).isEqualTo("mine");
    }

    @Test
    void versionIsTheServers() {
        assertThat(client.version()).matches("\\d+\\.\\d+\\..*");
    }
}
