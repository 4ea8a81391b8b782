// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedTimeoutException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MultiGetResultTest {

    private static final MemcachedTimeoutException LATE = new MemcachedTimeoutException("late", null, null);

    @Test
    void mapKeepsTheResultOfEachKey() {
        MultiGetResult<String> result =
                new MultiGetResult<>(Map.of("a", "1", "b", "", "c", "x"), Set.of("d"), Map.of("e", LATE));
        MemcachedDecodingException undecodable = new MemcachedDecodingException("no number", 0, null);

        MultiGetResult<Integer> mapped = result.map((key, value) -> {
            if (key.equals("c")) {
                throw undecodable;
            }
            return value.isEmpty() ? null : Integer.valueOf(value);
        });

        assertThat(mapped.hits()).containsOnly(Map.entry("a", 1));
        assertThat(mapped.misses()).containsExactlyInAnyOrder("b", "d");
        assertThat(mapped.failures()).containsOnly(Map.entry("c", undecodable), Map.entry("e", LATE));
    }

    @Test
    void collectionsCannotBeChanged() {
        MultiGetResult<String> result =
                new MultiGetResult<>(new HashMap<>(Map.of("a", "1")), new HashSet<>(), new HashMap<>());
        assertThatThrownBy(() -> result.hits().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> result.misses().add("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> result.failures().put("c", LATE)).isInstanceOf(UnsupportedOperationException.class);
        MultiWriteResult written = new MultiWriteResult(new HashSet<>(Set.of("a")), new HashSet<>(), new HashMap<>());
        assertThatThrownBy(() -> written.done().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> written.misses().add("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> written.failures().put("c", LATE)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void mapRethrowsOtherExceptionsOfTheFunction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new MultiGetResult<>(Map.of("a", "1"), Set.of(), Map.of()).map((key, value) -> {
                    throw new IllegalStateException();
                }));
    }
}
