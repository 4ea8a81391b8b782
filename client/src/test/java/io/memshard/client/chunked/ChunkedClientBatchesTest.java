// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The calls that the chunked client makes on the client below: chunks travel together, but not all at once. */
class ChunkedClientBatchesTest {

    private static final int CHUNK_BYTES = 1_000_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final MemcachedException LOST = new MemcachedConnectionException("lost", null, null);

    private final Map<String, EncodedValue> stored = new HashMap<>();
    /** Each call, in order: the method, and how many keys a call for many keys has. */
    private final List<String> calls = new ArrayList<>();
    /** From this multi-set on, counted from 1, all fail. */
    private int failingSet = Integer.MAX_VALUE;

    private int sets;

    private final ChunkedClient<byte[]> client =
            ChunkedClient.over(items(), Transcoder.bytes(), CHUNK_BYTES, 20 * CHUNK_BYTES);

    private MemcachedClient<?> items() {
        return (MemcachedClient<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MemcachedClient.class}, (proxy, method, given) -> {
                    if (method.getName().equals("withTranscoder")) {
                        return proxy;
                    }
                    calls.add(method.getName() + size(given[0]));
                    return switch (method.getName()) {
                        case "get" -> stored.get(given[0]);
                        case "set" -> stored.put((String) given[0], (EncodedValue) given[1]);
                        case "delete" -> stored.remove(given[0]) != null;
                        case "multiGet" -> multiGet((Collection<?>) given[0]);
                        case "multiSet" -> multiSet((Map<?, ?>) given[0]);
                        case "multiDelete" -> multiDelete((Collection<?>) given[0]);
                        default -> throw new AssertionError(method);
                    };
                });
    }

    private static String size(Object given) {
        if (given instanceof Map<?, ?> values) {
            return " " + values.size();
        }
        return given instanceof Collection<?> keys ? " " + keys.size() : "";
    }

    private MultiGetResult<EncodedValue> multiGet(Collection<?> keys) {
        Map<String, EncodedValue> hits = new HashMap<>(stored);
        hits.keySet().retainAll(keys);
        Set<String> misses = keys.stream().map(String.class::cast).collect(Collectors.toCollection(LinkedHashSet::new));
        misses.removeAll(hits.keySet());
        return new MultiGetResult<>(hits, misses, Map.of());
    }

    private MultiWriteResult multiSet(Map<?, ?> values) {
        sets++;
        if (sets >= failingSet) {
            return new MultiWriteResult(
                    Set.of(),
                    Set.of(),
                    values.keySet().stream().collect(Collectors.toMap(String.class::cast, key -> LOST)));
        }
        values.forEach((key, value) -> stored.put((String) key, (EncodedValue) value));
        return new MultiWriteResult(Set.of(), Set.of(), Map.of());
    }

    private MultiWriteResult multiDelete(Collection<?> keys) {
        stored.keySet().removeAll(keys);
        return new MultiWriteResult(Set.of(), Set.of(), Map.of());
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void chunksGoTogetherAndTheManifestComesLast() {
        byte[] value = bytes(9_000_001, 1);
        client.set("k", value, HOUR);
        assertThat(calls).containsExactly("get", "multiSet 4", "multiSet 4", "multiSet 2", "set");
        calls.clear();
        assertThat(client.get("k")).isEqualTo(value);
        assertThat(calls).containsExactly("get", "multiGet 4", "multiGet 4", "multiGet 2");
        calls.clear();
        assertThat(client.delete("k")).isTrue();
        assertThat(calls).containsExactly("get", "delete", "multiDelete 10");
        assertThat(stored).isEmpty();
    }

    @Test
    void valueOfOneItemNeedsNoCallForChunks() {
        client.set("k", bytes(CHUNK_BYTES, 1), HOUR);
        assertThat(client.delete("k")).isTrue();
        assertThat(calls).containsExactly("get", "set", "get", "delete");
    }

    @Test
    void manifestIsNotWrittenIfAChunkWasNot() {
        byte[] old = bytes(5_000_000, 1);
        client.set("k", old, HOUR);
        failingSet = sets + 2;
        assertThatThrownBy(() -> client.set("k", bytes(9_500_000, 2), HOUR)).isSameAs(LOST);
        assertThat(client.get("k")).isEqualTo(old);
    }
}
