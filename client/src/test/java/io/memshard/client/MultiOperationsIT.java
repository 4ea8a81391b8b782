// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each operation on many keys does. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosen")
class MultiOperationsIT extends OperationsFixture {

    MultiOperationsIT(ClientVariant variant) {
        super(variant);
    }

    @Test
    void getAllAccountsForEachDistinctKey() {
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
    void getsOfManyGivesEachCasUnique(int misses) {
        client.multiSet(Map.of(key("a"), "one", key("b"), ""), HOUR);
        List<String> keys = keysAround(misses);
        MultiGetResult<CasValue<String>> result = client.multiGets(keys);

        assertThat(result.hitsOrThrow())
                .isEqualTo(Map.of(key("a"), client.gets(key("a")), key("b"), client.gets(key("b"))));
        assertThat(result.misses()).containsExactlyElementsOf(keys.subList(1, misses + 1));
        long casUnique = result.hits().get(key("a")).casUnique();
        assertThat(client.cas(key("a"), "two", casUnique, HOUR)).isEqualTo(CasResult.STORED);
        assertThat(client.cas(key("a"), "three", casUnique, HOUR)).isEqualTo(CasResult.EXISTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void getAndTouchOfManySetsEachTimeToLive(int misses) {
        client.multiSet(Map.of(key("a"), "one", key("b"), "two"), TimeToLive.NEVER);
        List<String> keys = keysAround(misses);
        MultiGetResult<String> result = client.multiGetAndTouch(keys, HOUR);

        assertThat(result.hitsOrThrow()).isEqualTo(Map.of(key("a"), "one", key("b"), "two"));
        assertThat(result.misses()).containsExactlyElementsOf(keys.subList(1, misses + 1));
        expiresWithin(key("a"), HOUR);
        expiresWithin(key("b"), HOUR);
    }

    @Test
    void setAllStoresEachValueWithItsTimeToLive() {
        client.set(key("a"), "old", TimeToLive.NEVER);
        Map<String, String> values = new LinkedHashMap<>();
        values.put(key("a"), "one");
        values.put(key("\u00fc"), "");
        values.put(key("c"), "\r\nmn\r\n");
        MultiSetResult result = client.multiSet(values, HOUR);

        assertThat(result.stored()).containsExactlyElementsOf(values.keySet());
        assertThat(result.failures()).isEmpty();
        assertThat(result.storedOrThrow()).isEqualTo(result.stored());
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);
        expiresWithin(key("a"), HOUR);
        expiresWithin(key("c"), HOUR);
        assertThat(client.multiSet(Map.of(), HOUR).stored()).isEmpty();
    }

    @Test
    void deleteAllSaysOfEachDistinctKeyWhetherThereWasAnItem() {
        client.multiSet(Map.of(key("a"), "one", key("b"), "two", key("kept"), "three"), HOUR);
        MultiDeleteResult result =
                client.multiDelete(Arrays.asList(key("a"), key("miss"), key("b"), key("a"), key("miss")));

        assertThat(result.deleted()).containsExactly(key("a"), key("b"));
        assertThat(result.misses()).containsExactly(key("miss"));
        assertThat(result.failures()).isEmpty();
        assertThat(result.deletedOrThrow()).isEqualTo(result.deleted());
        assertThat(client.multiGet(List.of(key("a"), key("b"), key("kept"))).hitsOrThrow())
                .containsOnlyKeys(key("kept"));
        assertThat(client.multiDelete(List.of()).deleted()).isEmpty();
    }

    @Test
    void bulksOfAnySizeAreCutIntoPartsAndAccountForEachKey() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 1_000; i++) {
            values.put(key("bulk" + i), "value " + i + " " + "x".repeat(i % 400 == 0 ? 100_000 : i % 300));
        }
        assertThat(client.multiSet(values, HOUR).storedOrThrow()).hasSize(1_000);
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEqualTo(values);

        List<String> keys = new ArrayList<>(values.keySet());
        keys.add(234, key("bulkmiss"));
        MultiDeleteResult deleted = client.multiDelete(keys);
        assertThat(deleted.deleted()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key("bulkmiss"));
        assertThat(deleted.failures()).isEmpty();
        assertThat(client.multiGet(keys).misses()).hasSize(1_001);
        assertThat(connection().inFlight()).isZero();
    }
}
