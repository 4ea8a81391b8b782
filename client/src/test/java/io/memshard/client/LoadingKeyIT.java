// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of docs/get-or-load.md: each command on a key whose value another caller is loading. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosenMeta")
class LoadingKeyIT extends OperationsFixture {

    private static final String LOADED = "loaded";
    private static final EncodedValue RENEWED = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);
    private static final String FAILS = "fails";

    /**
     * @param result what the command returns, as text
     * @param then what a get returns once the load has ended; null for a miss
     */
    private record Row(
            String name,
            String result,
            @Nullable String then,
            BiFunction<MemcachedClient<String>, String, @Nullable Object> command) {}

    private static final List<Row> ROWS = List.of(
            new Row("get", "null", LOADED, MemcachedClient::get),
            new Row("gets", "null", LOADED, MemcachedClient::gets),
            new Row("getAndTouch", "null", LOADED, (c, k) -> c.getAndTouch(k, HOUR)),
            new Row("multiGet", "{}", LOADED, (c, k) -> values(c.multiGet(List.of(k)))),
            new Row("multiGets", "{}", LOADED, (c, k) -> values(c.multiGets(List.of(k)))),
            new Row("multiGetAndTouch", "{}", LOADED, (c, k) -> values(c.multiGetAndTouch(List.of(k), HOUR))),
            new Row("touch", "true", LOADED, (c, k) -> c.touch(k, HOUR)),
            new Row("set", "null", "other", (c, k) -> {
                c.set(k, "other", HOUR);
                return null;
            }),
            new Row(
                    "multiSet",
                    "{}",
                    "other",
                    (c, k) -> c.multiSet(Map.of(k, "other"), HOUR).failures()),
            new Row("add", "false", LOADED, (c, k) -> c.add(k, "other", HOUR)),
            new Row("replace", "true", "other", (c, k) -> c.replace(k, "other", HOUR)),
            new Row("append", "false", LOADED, (c, k) -> c.append(k, "part")),
            new Row("prepend", "false", LOADED, (c, k) -> c.prepend(k, "part")),
            new Row("cas", "EXISTS", LOADED, (c, k) -> c.cas(k, "other", 1, HOUR)),
            new Row("update", "null and more", "null and more", (c, k) -> c.update(k, HOUR, old -> old + " and more")),
            new Row("update to null", "null", LOADED, (c, k) -> c.update(k, HOUR, old -> old)),
            new Row("incr", FAILS, LOADED, (c, k) -> c.incr(k, 1)),
            new Row("incr with initial", FAILS, LOADED, (c, k) -> c.incr(k, 1, 1, HOUR)),
            new Row("decr", FAILS, LOADED, (c, k) -> c.decr(k, 1)),
            new Row("decr with initial", FAILS, LOADED, (c, k) -> c.decr(k, 1, 1, HOUR)),
            new Row("delete", "true", null, MemcachedClient::delete),
            new Row(
                    "multiDelete",
                    "true",
                    null,
                    (c, k) -> c.multiDelete(List.of(k)).done().contains(k)),
            new Row("invalidate", "true", null, (c, k) -> c.invalidate(k, HOUR)),
            new Row(
                    "meta().get",
                    "true",
                    LOADED,
                    (c, k) -> Objects.requireNonNull(
                                    c.meta().get(GetRequest.of(k).returning(ItemField.VALUE)))
                            .isPlaceholder()));

    LoadingKeyIT(ClientVariant variant) {
        super(variant);
    }

    private static Map<String, ?> values(MultiGetResult<?> result) {
        return result.hits();
    }

    private String result(Row row, String key) {
        try {
            return String.valueOf(row.command.apply(client, key));
        } catch (MemcachedException e) {
            return FAILS;
        }
    }

    @Test
    void commandsDuringALoadBehaveAsDocumented() {
        for (Row row : ROWS) {
            String key = key(row.name.replace(' ', '-'));
            String loaded = client.getOrLoad(
                    key,
                    HOUR,
                    k -> {
                        assertThat(result(row, key)).as(row.name).isEqualTo(row.result);
                        assertThat(client.get(key)).as(row.name).isEqualTo(LOADED.equals(row.then) ? null : row.then);
                        return LOADED;
                    },
                    LoadOptions.DEFAULTS.withClaimTtl(HOUR));
            assertThat(loaded).as(row.name).isEqualTo(LOADED);
            assertThat(client.get(key)).as(row.name).isEqualTo(row.then);
        }
    }

    @Test
    void renewedClaimIsNotReadAsAValue() {
        for (Row row : ROWS) {
            String key = key("renewed-" + row.name.replace(' ', '-'));
            client.withTranscoder(Transcoder.asStored()).set(key, RENEWED, HOUR);
            assertThat(result(row, key)).as(row.name).isEqualTo(row.result);
            assertThat(client.get(key)).as(row.name).isEqualTo(LOADED.equals(row.then) ? null : row.then);
        }
    }
}
