// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static io.memshard.foreign.Calls.result;
import static io.memshard.foreign.PlainOperations.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import java.time.Duration;
import java.util.List;

/** Operations of the meta client, one for each flag that somebody may need. */
final class MetaOperations {

    private static final Duration HOUR = Duration.ofHours(1);

    private MetaOperations() {}

    static List<Operation> all() {
        return List.of(
                new Operation("meta noop", (calls, key) -> calls.meta().noop()),
                new Operation("meta get, all fields", (calls, key) -> {
                    calls.client().set(key, "value", MINUTE);
                    MetaItem<String> item = calls.meta().get(GetRequest.of(key).returning(ItemField.values()));
                    assertThat(item.value()).isEqualTo("value");
                    assertThat(item.sizeBytes()).isEqualTo(5);
                    assertThat(item.ttl().orElseThrow()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(61));
                }),
                new Operation("meta get without a bump", (calls, key) -> {
                    calls.client().set(key, "value", MINUTE);
                    calls.meta().get(GetRequest.of(key).withoutBump());
                    assertThat(calls.meta()
                                    .get(GetRequest.of(key).returning(ItemField.HIT_BEFORE))
                                    .isHitBefore())
                            .isFalse();
                }),
                new Operation("meta get with touch", (calls, key) -> {
                    calls.client().set(key, "value", MINUTE);
                    assertThat(calls.meta()
                                    .get(GetRequest.of(key).touch(HOUR).returning(ItemField.TTL))
                                    .ttl()
                                    .orElseThrow())
                            .isGreaterThan(MINUTE.multipliedBy(2));
                }),
                new Operation("meta get with vivify", (calls, key) -> {
                    assertThat(calls.meta()
                                    .get(GetRequest.of(key).vivify(MINUTE))
                                    .isWon())
                            .isTrue();
                    assertThat(calls.meta()
                                    .get(GetRequest.of(key).vivify(MINUTE))
                                    .isWonByAnother())
                            .isTrue();
                }),
                new Operation("meta get with recacheBelow", (calls, key) -> {
                    calls.client().set(key, "value", MINUTE);
                    assertThat(calls.meta()
                                    .get(GetRequest.of(key).recacheBelow(HOUR))
                                    .isWon())
                            .isTrue();
                }),
                new Operation("meta get with unlessCas", MetaOperations::getUnlessCas),
                new Operation(
                        "meta set with returningCas",
                        (calls, key) -> assertThat(
                                        store(calls, SetRequest.of(key, "1").returningCas())
                                                .casUnique())
                                .isNotZero()),
                new Operation("meta set with returningSize", MetaOperations::setReturningSize),
                new Operation(
                        "meta set with newCas",
                        (calls, key) -> assertThat(store(
                                                calls,
                                                SetRequest.of(key, "1")
                                                        .newCas(4_711)
                                                        .returningCas())
                                        .casUnique())
                                .isEqualTo(4_711)),
                new Operation("meta set with ifCas", (calls, key) -> {
                    long casUnique =
                            store(calls, SetRequest.of(key, "1").returningCas()).casUnique();
                    store(calls, SetRequest.of(key, "2").ifCas(casUnique));
                    assertThat(calls.meta()
                                    .set(SetRequest.of(key, "3").ifCas(casUnique))
                                    .status())
                            .isEqualTo(WriteStatus.EXISTS);
                }),
                new Operation("meta set with staleIfOlder", (calls, key) -> {
                    store(calls, SetRequest.of(key, "1"));
                    store(calls, SetRequest.of(key, "2").ifCas(1).staleIfOlder());
                    assertThat(calls.meta().get(GetRequest.of(key)).isStale()).isTrue();
                }),
                new Operation("meta set, adding and replacing", (calls, key) -> {
                    assertThat(calls.meta()
                                    .set(SetRequest.of(key, "1").replacing())
                                    .isDone())
                            .isFalse();
                    store(calls, SetRequest.of(key, "1").adding());
                    assertThat(calls.meta()
                                    .set(SetRequest.of(key, "1").adding())
                                    .status())
                            .isEqualTo(WriteStatus.NOT_STORED);
                }),
                new Operation("meta append with vivify", (calls, key) -> {
                    store(calls, SetRequest.of(key, "a").appending().vivify(MINUTE));
                    store(calls, SetRequest.of(key, "b").appending().vivify(MINUTE));
                    assertThat(calls.client().get(key)).isEqualTo("ab");
                }),
                new Operation("meta arithmetic", (calls, key) -> {
                    calls.client().set(key, "10", MINUTE);
                    assertThat(calls.meta()
                                    .arithmetic(ArithmeticRequest.of(key)
                                            .decrementing()
                                            .delta(3))
                                    .number())
                            .isEqualTo(7);
                }),
                new Operation(
                        "meta arithmetic with vivify",
                        (calls, key) -> assertThat(calls.meta()
                                        .arithmetic(ArithmeticRequest.of(key).vivify(5, MINUTE))
                                        .number())
                                .isEqualTo(5)),
                new Operation("meta delete", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.meta().delete(DeleteRequest.of(key))).isEqualTo(WriteStatus.DONE);
                    assertThat(calls.meta().delete(DeleteRequest.of(key))).isEqualTo(WriteStatus.NOT_FOUND);
                }),
                new Operation("meta delete with invalidate", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.meta()
                                    .delete(DeleteRequest.of(key).invalidate().ttl(MINUTE)))
                            .isEqualTo(WriteStatus.DONE);
                    assertThat(calls.meta().get(GetRequest.of(key)).isStale()).isTrue();
                }),
                new Operation("meta delete that keeps the item", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.meta().delete(DeleteRequest.of(key).keepItem()))
                            .isEqualTo(WriteStatus.DONE);
                    assertThat(calls.client().get(key)).isEmpty();
                }),
                new Operation("meta debug", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(calls.meta().debug(ItemKey.of(key))).containsKey("cas");
                }),
                new Operation("meta binary key", (calls, key) -> {
                    ItemKey binary = ItemKey.binary(new byte[] {0, '\r', '\n', ' ', -1, (byte) key.length()});
                    store(calls, SetRequest.of(binary, "1"));
                    assertThat(calls.meta().get(GetRequest.of(binary)).value()).isEqualTo("1");
                }),
                new Operation("async meta get", (calls, key) -> {
                    calls.client().set(key, "1", MINUTE);
                    assertThat(result(calls.asyncMeta().get(GetRequest.of(key).returning(ItemField.SIZE)))
                                    .sizeBytes())
                            .isEqualTo(1);
                }));
    }

    private static WriteResult store(Calls calls, SetRequest<String> request) {
        WriteResult stored = calls.meta().set(request);
        assertThat(stored.isDone()).isTrue();
        return stored;
    }

    /** Accepts a value as well, by which an old server ignores the flag: documented, and no error. */
    private static void getUnlessCas(Calls calls, String key) {
        long casUnique =
                store(calls, SetRequest.of(key, "value").returningCas()).casUnique();
        GetRequest request = GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS);
        assertThat(calls.meta().get(request.unlessCas(casUnique + 1)).value()).isEqualTo("value");
        MetaItem<String> known = calls.meta().get(request.unlessCas(casUnique));
        assertThat(known.casUnique()).isEqualTo(casUnique);
        if (known.value() != null) {
            assertThat(known.value()).isEqualTo("value");
            throw new MemcachedUnsupportedException("unlessCas is ignored, and the value returned, as documented");
        }
    }

    /** Accepts that an old server ignores the flag, which the result says. */
    private static void setReturningSize(Calls calls, String key) {
        store(calls, SetRequest.of(key, "value"));
        WriteResult stored =
                store(calls, SetRequest.of(key, "value").appending().returningSize());
        try {
            assertThat(stored.sizeBytes()).isEqualTo(10);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("of memcached 1.6.");
            throw new MemcachedUnsupportedException("returningSize is ignored, and the result says so, as documented");
        }
    }
}
