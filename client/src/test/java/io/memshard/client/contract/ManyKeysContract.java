// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.contract.Subject.Speech;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of each operation on many keys, and of values that are large or cannot be stored or read. */
abstract class ManyKeysContract extends ItemFixture {

    /** Above the limit of the servers, and of most clients. */
    static final String TOO_LARGE = "x".repeat(2 * 1024 * 1024 - 1);

    /** The client's limit. */
    protected int maxValueBytes() {
        return 1 << 20;
    }

    @Test
    void multiGetReportsEachDistinctKey() {
        client.set(key("a"), "one", HOUR);
        client.set(key("b"), "", HOUR);
        MultiGetResult<String> result =
                client.multiGet(List.of(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.hits()).isEqualTo(Map.of(key("a"), "one", key("b"), ""));
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
        if (speech() == Speech.SPYMEMCACHED) {
            assertUnsupported(lack(), () -> client.multiGets(keys));
            return;
        }
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
        if (speech() == Speech.SPYMEMCACHED) {
            assertUnsupported(lack(), () -> client.multiGetAndTouch(keys, HOUR));
            return;
        }
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
        MultiWriteResult result = client.multiDelete(List.of(key("a"), key("miss"), key("b"), key("a"), key("miss")));

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
        assertThat(client.multiSet(values, HOUR).doneOrThrow()).isEqualTo(values.keySet());
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);

        List<String> keys = new ArrayList<>(values.keySet());
        keys.add(234, key("bulkmiss"));
        MultiWriteResult deleted = client.multiDelete(keys);
        assertThat(deleted.doneOrThrow()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key("bulkmiss"));
        assertThat(client.multiGet(keys).misses()).hasSize(1_001);
    }

    @Test
    void illegalKeysAmongManyFailAlone() {
        String key = key("a");
        String bad = key + " b";
        String large = key("large");
        MultiWriteResult set = client.multiSet(Map.of(key, "one", bad, TOO_LARGE, large, TOO_LARGE), HOUR);
        assertThat(set.done()).containsExactly(key);
        assertThat(set.failures()).containsOnlyKeys(bad, large);
        assertThat(set.failures().get(large)).isInstanceOf(MemcachedValueTooLargeException.class);
        assertThat(set.failures().get(bad)).isInstanceOf(MemcachedIllegalKeyException.class);
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(set::doneOrThrow);
        MultiGetResult<String> got = client.multiGet(List.of("", key, key("miss"), "a\nb"));
        assertThat(got.hits()).isEqualTo(Map.of(key, "one"));
        assertThat(got.misses()).containsExactly(key("miss"));
        areIllegal(got.failures(), "", "a\nb");
        areIllegal(client.multiGet(List.of("a\nb")).failures(), "a\nb");
        MultiWriteResult deleted = client.multiDelete(List.of(key("miss"), "", key));
        assertThat(deleted.done()).containsExactly(key);
        assertThat(deleted.misses()).containsExactly(key("miss"));
        areIllegal(deleted.failures(), "");
    }

    private static void areIllegal(Map<String, MemcachedException> failures, String... keys) {
        assertThat(failures).containsOnlyKeys(keys);
        assertThat(failures.values()).hasOnlyElementsOfType(MemcachedIllegalKeyException.class);
    }

    @Test
    void multiGetOrLoadLoadsAllMissesInOneCall() {
        if (speech() != Speech.META) {
            assertUnsupported(
                    lack(),
                    () -> client.multiGetOrLoad(List.of(key("a")), HOUR, keys -> Map.of())
                            .hitsOrThrow());
            return;
        }
        List<Set<String>> loads = new ArrayList<>();
        ValueLoader<Set<String>, Map<String, String>> loader = keys -> {
            loads.add(keys);
            return keys.stream()
                    .filter(key -> !key.equals(key("none")))
                    .collect(Collectors.toMap(key -> key, key -> "of " + key));
        };
        client.set(key("a"), "1", HOUR);
        List<String> keys = List.of(key("a"), key("b"), key("none"), "a b", "", key("b"));
        for (MemcachedClient<String> each : List.of(client, client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS))) {
            MultiGetResult<String> result = each.multiGetOrLoad(keys, HOUR, loader);
            assertThat(result.hits()).isEqualTo(Map.of(key("a"), "1", key("b"), "of " + key("b")));
            assertThat(result.misses()).containsExactly(key("none"));
            areIllegal(result.failures(), "a b", "");
        }
        assertThat(loads).containsExactly(Set.of(key("b"), key("none")), Set.of(key("none")));
        assertThat(client.multiGet(keys.subList(0, 3)).hits()).containsOnlyKeys(key("a"), key("b"));
        assertThat(client.add(key("none"), "1", HOUR))
                .as("the claim is given back")
                .isTrue();
        areIllegal(client.multiGetOrLoad(List.of("a b"), HOUR, loader).failures(), "a b");
        assertThat(client.multiGetOrLoad(List.of(), HOUR, loader).hits()).isEmpty();
        assertThat(loads).hasSize(2);

        assertThatIllegalStateException()
                .isThrownBy(() -> client.multiGetOrLoad(List.of(key("c"), key("d")), HOUR, missing -> {
                    throw new IllegalStateException("broken");
                }))
                .withMessage("broken");
        assertThat(client.add(key("c"), "1", HOUR))
                .as("the claim is given back")
                .isTrue();
    }

    // Values.

    @Test
    void largeValuesWithLineEndsAreReadBackWhole() {
        byte[] value = new byte[200_000];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) (i % 7 == 0 ? '\r' : i % 7 == 1 ? '\n' : i);
        }
        MemcachedClient<byte[]> bytes = client.withTranscoder(Transcoder.bytes());
        bytes.set(key("a"), value, HOUR);
        assertThat(bytes.get(key("a"))).isEqualTo(value);
    }

    @Test
    void valuesThatAreTooLargeDeleteTheOldOnes() {
        client.multiSet(Map.of(key("a"), "old", key("b"), "old", key("c"), "old"), HOUR);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> client.set(key("a"), TOO_LARGE, HOUR))
                .withMessageContaining(maxValueBytes() < TOO_LARGE.length() ? "maxValueBytes=1048576" : "")
                .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        assertThat(client.multiSet(Map.of(key("b"), TOO_LARGE, key("c"), "new"), HOUR)
                        .failures())
                .containsOnlyKeys(key("b"));
        assertThat(client.multiGet(List.of(key("a"), key("b"), key("c"))).hits())
                .isEqualTo(Map.of(key("c"), "new"));
    }

    /** Fits the client's limit; with its header it is above the server's. */
    @Test
    void valueThatOnlyTheServerTakesForTooLargeIsRefused() {
        client.set(key("a"), "old", HOUR);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> client.set(key("a"), "x".repeat(1 << 20), HOUR));
        if (speech() != Speech.SPYMEMCACHED) { // That client loses its connection.
            assertThat(client.get(key("a"))).isNull();
        }
    }

    @Test
    void valuesThatTheSerializerRejectsDeleteTheOldOnes() {
        MemcachedClient<String> limited = client.withTranscoder(
                Compression.gzip().thresholdBytes(10).maxBytes(20).around(Transcoder.utf8()));
        String tooLarge = "x".repeat(21);
        client.multiSet(Map.of(key("a"), "old", key("b"), "old", key("c"), "old"), HOUR);
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> limited.set(key("a"), tooLarge, HOUR))
                .withMessageContaining("Compression.maxBytes");
        assertThat(limited.multiSet(Map.of(key("b"), tooLarge, key("c"), "new"), HOUR)
                        .failures())
                .containsOnlyKeys(key("b"));
        assertThat(client.multiGet(List.of(key("a"), key("b"), key("c"))).hits())
                .isEqualTo(Map.of(key("c"), "new"));
    }

    /** Covers flags and cas uniques: if the server rejects a line, it executes the value after it as commands. */
    @Test
    void highestBitReachesTheServerOrNothingDoes() {
        client.set(key("a"), "mine", HOUR);
        MemcachedClient<EncodedValue> stored = client.withTranscoder(Transcoder.asStored());
        byte[] data = ("delete " + key("a")).getBytes(UTF_8);
        EncodedValue value = new EncodedValue(data, Integer.MIN_VALUE);
        EncodedValue harmless = new EncodedValue(data, 0x1234567);
        stored.set(key("flags"), harmless, HOUR);
        assertThat(stored.get(key("flags")).flags()).isEqualTo(0x1234567);
        assertThat(stored.gets(key("flags")).value().flags()).isEqualTo(0x1234567);
        assertThat(stored.multiGet(List.of(key("flags")))
                        .hits()
                        .get(key("flags"))
                        .flags())
                .isEqualTo(0x1234567);
        if (speech() == Speech.SPYMEMCACHED) {
            assertThatIllegalArgumentException().isThrownBy(() -> stored.set(key("flags"), value, HOUR));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stored.cas(key("cas"), harmless, Long.MIN_VALUE, HOUR));
        } else {
            stored.set(key("flags"), value, HOUR);
            assertThat(stored.get(key("flags")).flags()).isEqualTo(Integer.MIN_VALUE);
            assertThat(stored.cas(key("cas"), harmless, Long.MIN_VALUE, HOUR)).isEqualTo(WriteStatus.NOT_FOUND);
        }
        assertThat(client.withTranscoder(Transcoder.bytes()).get(key("flags"))).isEqualTo(data);
        assertThat(client.get(key("a"))).isEqualTo("mine");
    }

    private record Picky(Transcoder<String> utf8) implements Transcoder<String> {

        @Override
        public EncodedValue encode(String value) {
            throw new IllegalStateException("cannot encode");
        }

        @Override
        public String decode(byte[] data, int flags) {
            String value = utf8.decode(data, flags);
            if (value.startsWith("bad")) {
                throw new IllegalStateException("cannot decode");
            }
            return value;
        }
    }

    @Test
    void exceptionOfATranscoderReachesTheCallerAndHarmsNothing() {
        client.set(key("a"), "bad", HOUR);
        client.set(key("b"), "good", HOUR);
        MemcachedClient<String> picky = client.withTranscoder(new Picky(Transcoder.utf8()));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> picky.set(key("a"), "two", HOUR))
                .withMessage("cannot encode");
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> picky.get(key("a")), () -> picky.gets(key("a")), () -> picky.getAndTouch(key("a"), HOUR))) {
            assertThatExceptionOfType(MemcachedDecodingException.class)
                    .isThrownBy(read)
                    .withMessageStartingWith(
                            "the transcoder threw java.lang.IllegalStateException; read the value with")
                    .withMessageContaining("another key prefix (flags 0x0): ")
                    .withMessageContaining(key("a"))
                    .satisfies(e -> {
                        assertThat(e.getCause()).hasMessage("java.lang.IllegalStateException");
                        assertThat(e.key()).isEqualTo(stored(key("a")));
                        assertThat(e.isSafeToRetry()).isFalse();
                    });
        }
        MultiGetResult<String> all = picky.multiGet(List.of(key("a"), key("b"), key("miss")));
        assertThat(all.hits()).isEqualTo(Map.of(key("b"), "good"));
        assertThat(all.misses()).containsExactly(key("miss"));
        assertThat(all.failures()).containsOnlyKeys(key("a"));
        assertThat(all.failures().get(key("a")))
                .isInstanceOfSatisfying(
                        MemcachedDecodingException.class,
                        e -> assertThat(e.key()).isIn(key("a"), stored(key("a"))));
        assertThat(client.get(key("a"))).isEqualTo("bad");
    }
}
