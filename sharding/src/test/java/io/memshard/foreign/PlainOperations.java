// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.KeyedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Operations on one key, blocking. */
final class PlainOperations {

    static final Duration MINUTE = Duration.ofMinutes(1);

    private static final int LARGE = 500_000;
    private static final int TOO_LARGE = 2_000_000;

    private PlainOperations() {}

    static List<Operation> all() {
        return List.of(
                new Operation("set", (calls, key) -> {
                    calls.client().set(key, "value", MINUTE);
                    assertThat(calls.client().get(key)).isEqualTo("value");
                }),
                new Operation(
                        "get of a miss",
                        (calls, key) -> assertThat(calls.client().get(key)).isNull()),
                new Operation("set of an empty value", (calls, key) -> {
                    calls.client().set(key, "", MINUTE);
                    assertThat(calls.client().get(key)).isEmpty();
                }),
                new Operation("set of 500 kB", (calls, key) -> {
                    calls.client().set(key, "x".repeat(LARGE), MINUTE);
                    assertThat(calls.client().get(key)).hasSize(LARGE);
                }),
                new Operation("set of 2 MB", PlainOperations::setTooLarge),
                new Operation("set that expires", (calls, key) -> {
                    calls.client().set(key, "value", Duration.ofSeconds(1));
                    Eventually.eventually(
                            "the item is gone", () -> calls.client().get(key) == null);
                }),
                new Operation("set until an instant", (calls, key) -> {
                    calls.client().set(key, "value", Instant.now().plus(Duration.ofDays(60)));
                    assertThat(calls.client().get(key)).isEqualTo("value");
                }),
                new Operation("set for ever", (calls, key) -> {
                    calls.client().set(key, "value", TimeToLive.NEVER);
                    assertThat(calls.client().get(key)).isEqualTo("value");
                }),
                new Operation("set of all bytes", PlainOperations::setAllBytes),
                new Operation("client flags of 31 bits", (calls, key) -> setFlags(calls, key, Integer.MAX_VALUE)),
                new Operation("client flags of 32 bits", (calls, key) -> setFlags(calls, key, -1)),
                new Operation("key of 250 bytes", (calls, key) -> {
                    String longest = key + "x".repeat(250 - key.length());
                    calls.client().set(longest, "value", MINUTE);
                    assertThat(calls.client().get(longest)).isEqualTo("value");
                }),
                new Operation(
                        "key of 251 bytes",
                        (calls, key) -> assertThatIllegalArgumentException()
                                .isThrownBy(() -> calls.client().get(key + "x".repeat(251 - key.length())))),
                new Operation("hashed key", (calls, key) -> {
                    MemcachedClient<String> hashing = calls.client().withHashedKeys();
                    hashing.set(key + " \u20ac", "value", MINUTE);
                    assertThat(hashing.get(key + " \u20ac")).isEqualTo("value");
                }),
                new Operation("key prefix", (calls, key) -> {
                    calls.client().withKeyPrefix(key).set("a", "value", MINUTE);
                    assertThat(calls.client().get(key + "a")).isEqualTo("value");
                }),
                new Operation("add", (calls, key) -> {
                    assertThat(calls.client().add(key, "1", MINUTE)).isTrue();
                    assertThat(calls.client().add(key, "2", MINUTE)).isFalse();
                    assertThat(calls.client().get(key)).isEqualTo("1");
                }),
                new Operation("replace", (calls, key) -> {
                    assertThat(calls.client().replace(key, "1", MINUTE)).isFalse();
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().replace(key, "2", MINUTE)).isTrue();
                    assertThat(calls.client().get(key)).isEqualTo("2");
                }),
                new Operation("append", (calls, key) -> {
                    assertThat(calls.client().append(key, "b")).isFalse();
                    calls.client().set(key, "a", MINUTE);
                    assertThat(calls.client().append(key, "b")).isTrue();
                    assertThat(calls.client().get(key)).isEqualTo("ab");
                }),
                new Operation("prepend", (calls, key) -> {
                    assertThat(calls.client().prepend(key, "b")).isFalse();
                    calls.client().set(key, "a", MINUTE);
                    assertThat(calls.client().prepend(key, "b")).isTrue();
                    assertThat(calls.client().get(key)).isEqualTo("ba");
                }),
                new Operation("gets", (calls, key) -> {
                    assertThat(calls.client().gets(key)).isNull();
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().gets(key).value()).isEqualTo("1");
                }),
                new Operation("cas", PlainOperations::cas),
                new Operation(
                        "cas of a miss",
                        (calls, key) -> assertThat(calls.client().cas(key, "1", 1, MINUTE))
                                .isEqualTo(CasResult.NOT_FOUND)),
                new Operation("update", (calls, key) -> {
                    assertThat(calls.client().update(key, MINUTE, old -> old == null ? "1" : old + "2"))
                            .isEqualTo("1");
                    assertThat(calls.client().update(key, MINUTE, old -> old + "2"))
                            .isEqualTo("12");
                }),
                new Operation("delete", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().delete(key)).isTrue();
                    assertThat(calls.client().delete(key)).isFalse();
                    assertThat(calls.client().get(key)).isNull();
                }),
                new Operation("touch", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().touch(key, Duration.ofSeconds(1))).isTrue();
                    Eventually.eventually(
                            "the item is gone", () -> calls.client().get(key) == null);
                }),
                new Operation(
                        "touch of a miss",
                        (calls, key) ->
                                assertThat(calls.client().touch(key, MINUTE)).isFalse()),
                new Operation("getAndTouch", (calls, key) -> {
                    assertThat(calls.client().getAndTouch(key, MINUTE)).isNull();
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().getAndTouch(key, MINUTE)).isEqualTo("1");
                }),
                new Operation("incr", (calls, key) -> {
                    assertThat(calls.client().incr(key, 1)).isEmpty();
                    calls.client().set(key, "41", MINUTE);
                    assertThat(calls.client().incr(key, 1)).hasValue(42);
                    assertThat(calls.client().get(key)).isEqualTo("42");
                }),
                new Operation("decr", (calls, key) -> {
                    calls.client().set(key, "5", MINUTE);
                    assertThat(calls.client().decr(key, 3)).hasValue(2);
                    assertThat(calls.client().decr(key, 3)).hasValue(0);
                }),
                new Operation("incr that wraps around", (calls, key) -> {
                    calls.client().set(key, Long.toUnsignedString(-1), MINUTE);
                    assertThat(calls.client().incr(key, 1)).hasValue(0);
                }),
                new Operation("incrUnsigned", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.client().incrUnsigned(key, Long.MIN_VALUE)).hasValue(Long.MIN_VALUE + 1);
                }),
                new Operation("incr of a text", (calls, key) -> {
                    calls.client().set(key, "text", MINUTE);
                    assertThatExceptionOfType(MemcachedServerException.class)
                            .isThrownBy(() -> calls.client().incr(key, 1));
                }),
                new Operation("incr with an initial value", (calls, key) -> {
                    assertThat(calls.client().incr(key, 1, 7, MINUTE)).isEqualTo(7);
                    assertThat(calls.client().incr(key, 1, 7, MINUTE)).isEqualTo(8);
                }),
                new Operation("decr with an initial value", (calls, key) -> {
                    assertThat(calls.client().decr(key, 1, 7, MINUTE)).isEqualTo(7);
                    assertThat(calls.client().decr(key, 1, 7, MINUTE)).isEqualTo(6);
                }),
                new Operation(
                        "version",
                        (calls, key) -> assertThat(calls.client().version()).isNotEmpty()),
                new Operation("KeyedClient", (calls, key) -> {
                    KeyedClient<String, String> keyed = KeyedClient.over(calls.client(), MINUTE);
                    keyed.set(key, "1");
                    assertThat(keyed.get(key)).isEqualTo("1");
                    assertThat(keyed.delete(key)).isTrue();
                }));
    }

    private static void setTooLarge(Calls calls, String key) {
        try {
            calls.client().set(key, "x".repeat(TOO_LARGE), MINUTE);
        } catch (MemcachedValueTooLargeException e) {
            assertThat(calls.client().get(key)).isNull();
            return;
        }
        assertThat(calls.client().get(key)).hasSize(TOO_LARGE);
    }

    private static void setAllBytes(Calls calls, String key) {
        byte[] bytes = new byte[512];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        MemcachedClient<byte[]> client = calls.memshard().client();
        client.set(key, bytes, MINUTE);
        assertThat(client.get(key)).isEqualTo(bytes);
    }

    private static void setFlags(Calls calls, String key, int flags) {
        MemcachedClient<EncodedValue> client = calls.memshard().client(Transcoder.asStored());
        client.set(key, new EncodedValue(new byte[1], flags), MINUTE);
        assertThat(client.get(key).flags()).isEqualTo(flags);
    }

    private static void cas(Calls calls, String key) {
        calls.client().set(key, "1", MINUTE);
        CasValue<String> read = calls.client().gets(key);
        assertThat(calls.client().cas(key, "2", read.casUnique(), MINUTE)).isEqualTo(CasResult.STORED);
        assertThat(calls.client().cas(key, "3", read.casUnique(), MINUTE)).isEqualTo(CasResult.EXISTS);
        assertThat(calls.client().get(key)).isEqualTo("2");
    }
}
