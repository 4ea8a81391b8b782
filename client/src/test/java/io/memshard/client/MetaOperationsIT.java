// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.contract.LargeNumbers;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each meta request does, over every transport, blocking and asynchronous, on a server and on the embedded one.
 */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosenMeta")
class MetaOperationsIT extends OperationsFixture {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private MetaClient<String> meta;

    MetaOperationsIT(ClientVariant variant) {
        super(variant);
    }

    @BeforeEach
    void takeMeta() {
        meta = client.meta();
    }

    private MetaItem<String> find(String name, ItemField... fields) {
        MetaItem<String> item = meta.get(GetRequest.of(key(name)).returning(fields));
        assertThat(item).isNotNull();
        return item;
    }

    private long cas(String name) {
        return find(name, ItemField.CAS).casUnique();
    }

    /** Whether the server is memcached 1.6.{@code patch} or later. */
    private boolean isAtLeast(int patch) {
        String[] parts = client.version().split("[.-]");
        return Integer.parseInt(parts[2]) >= patch;
    }

    /** Runs a request whose flag came with 1.6.{@code patch}; on an older server shows how that ends. */
    private boolean isDoneOrUnsupported(int patch, Runnable request) {
        if (isAtLeast(patch)) {
            request.run();
            return true;
        }
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(request::run)
                .withMessageContaining("needs memcached 1.6." + patch)
                .withMessageContaining(key(""));
        meta.noop();
        assertThat(connection().state()).isEqualTo(ConnectionState.READY);
        assertThat(connection().inFlight()).isZero();
        return false;
    }

    @Test
    void getReturnsEachRequestedField() {
        long casUnique = meta.set(SetRequest.of(key("a"), "value").ttl(HOUR).returningCas())
                .casUnique();
        MetaItem<String> first = find("a", ItemField.values());
        assertThat(first.value()).isEqualTo("value");
        assertThat(first.clientFlags()).isZero();
        assertThat(first.casUnique()).isEqualTo(casUnique).isNotZero();
        assertThat(first.ttl().orElseThrow()).isBetween(HOUR.minusMinutes(1), HOUR.plusSeconds(1));
        assertThat(first.sinceLastAccess()).isLessThan(MINUTE);
        assertThat(first.isHitBefore()).isFalse();
        assertThat(first.sizeBytes()).isEqualTo(5);
        assertThat(first.isWon() || first.isWonByAnother() || first.isStale() || first.isPlaceholder())
                .isFalse();
        assertThat(find("a", ItemField.HIT_BEFORE).isHitBefore()).isTrue();
        assertThat(meta.get(GetRequest.of(key("miss")).returning(ItemField.values())))
                .isNull();
    }

    @Test
    void getReturnsNoOtherField() {
        meta.set(SetRequest.of(key("a"), "value"));
        MetaItem<String> item = find("a");
        assertThat(item.value()).isNull();
        assertThatIllegalStateException().isThrownBy(item::ttl).withMessageContaining("returning(ItemField.TTL)");
        assertThat(item.casUnique()).isZero();
        assertThatIllegalStateException().isThrownBy(item::sizeBytes);
        assertThat(find("a", ItemField.TTL).ttl()).isEmpty();
    }

    @Test
    void touchSetsTheTimeToLiveThatIsReturned() {
        meta.set(SetRequest.of(key("a"), "value"));
        MetaItem<String> item = meta.get(GetRequest.of(key("a")).touch(HOUR).returning(ItemField.TTL));
        assertThat(item.ttl().orElseThrow()).isBetween(HOUR.minusMinutes(1), HOUR.plusSeconds(1));
    }

    @Test
    void withoutBumpLeavesNoTrace() {
        meta.set(SetRequest.of(key("a"), "value"));
        GetRequest get = GetRequest.of(key("a")).returning(ItemField.HIT_BEFORE).withoutBump();
        assertThat(meta.get(get).isHitBefore()).isFalse();
        assertThat(meta.get(get).isHitBefore()).isFalse();
        assertThat(find("a").isStale()).isFalse();
        assertThat(meta.get(get).isHitBefore()).isTrue();
    }

    @Test
    void vivifyMakesTheFirstOneTheWinnerAndTheOthersWait() {
        GetRequest get = GetRequest.of(key("a"))
                .returning(ItemField.VALUE, ItemField.CAS, ItemField.TTL)
                .vivify(MINUTE);
        MetaItem<String> winner = meta.get(get);
        assertThat(winner.isWon()).isTrue();
        assertThat(winner.isWonByAnother()).isFalse();
        assertThat(winner.isPlaceholder()).isTrue();
        assertThat(winner.value()).isNull();
        assertThat(winner.ttl().orElseThrow()).isBetween(Duration.ZERO, MINUTE.plusSeconds(1));
        MetaItem<String> loser = meta.get(get);
        assertThat(loser.isWon()).isFalse();
        assertThat(loser.isWonByAnother()).isTrue();
        assertThat(loser.isPlaceholder()).isTrue();
        assertThat(loser.value()).isNull();

        assertThat(client.get(key("a"))).isNull();
        assertThat(client.gets(key("a"))).isNull();
        assertThat(client.multiGet(List.of(key("a"))).misses()).containsExactly(key("a"));

        assertThat(meta.set(SetRequest.of(key("a"), "x").ifCas(winner.casUnique() + 1000))
                        .status())
                .isEqualTo(WriteStatus.EXISTS);
        assertThat(meta.set(SetRequest.of(key("a"), "loaded").ifCas(winner.casUnique()))
                        .isDone())
                .isTrue();
        MetaItem<String> loaded = meta.get(get);
        assertThat(loaded.value()).isEqualTo("loaded");
        assertThat(loaded.isWon() || loaded.isWonByAnother() || loaded.isPlaceholder())
                .isFalse();
    }

    @Test
    void recacheMakesOneWinnerWhenLittleTimeIsLeft() {
        meta.set(SetRequest.of(key("a"), "value").ttl(MINUTE));
        GetRequest get = GetRequest.of(key("a"));
        assertThat(meta.get(get.recacheBelow(Duration.ofSeconds(10))).isWon()).isFalse();
        MetaItem<String> winner = meta.get(get.recacheBelow(HOUR));
        assertThat(winner.isWon()).isTrue();
        assertThat(winner.isStale()).isFalse();
        assertThat(winner.value()).isEqualTo("value");
        MetaItem<String> loser = meta.get(get.recacheBelow(HOUR));
        assertThat(loser.isWonByAnother()).isTrue();
        assertThat(loser.value()).isEqualTo("value");
    }

    @Test
    void invalidateLeavesAStaleValueAndOneWinner() {
        meta.set(SetRequest.of(key("a"), "old").ttl(HOUR));
        long before = cas("a");
        assertThat(meta.delete(
                        DeleteRequest.of(key("a")).ifCas(before).invalidate().ttl(MINUTE)))
                .isEqualTo(WriteStatus.DONE);
        MetaItem<String> winner = find("a", ItemField.VALUE, ItemField.CAS, ItemField.TTL);
        assertThat(winner.isWon()).isTrue();
        assertThat(winner.isStale()).isTrue();
        assertThat(winner.value()).isEqualTo("old");
        assertThat(winner.casUnique()).isNotEqualTo(before);
        assertThat(winner.ttl().orElseThrow()).isBetween(Duration.ZERO, MINUTE.plusSeconds(1));
        MetaItem<String> loser = find("a", ItemField.VALUE);
        assertThat(loser.isWonByAnother()).isTrue();
        assertThat(loser.isStale()).isTrue();
        assertThat(loser.value()).isEqualTo("old");
        assertThat(meta.set(SetRequest.of(key("a"), "new").ifCas(winner.casUnique()))
                        .isDone())
                .isTrue();
        MetaItem<String> fresh = find("a", ItemField.VALUE);
        assertThat(fresh.isStale()).isFalse();
        assertThat(fresh.value()).isEqualTo("new");
    }

    @Test
    void valueThatCannotBeDecodedFailsTheGetUnlessItHasWon() {
        MetaClient<Long> numbers = client.withTranscoder(Transcoder.counter()).meta();
        meta.set(SetRequest.of(key("a"), "no number").ttl(HOUR));
        assertThatCannotBeDecoded(() -> numbers.get(GetRequest.of(key("a"))));
        meta.delete(DeleteRequest.of(key("a")).invalidate());
        MetaItem<Long> won = numbers.get(GetRequest.of(key("a")).returning(ItemField.VALUE, ItemField.CAS));
        assertThat(won.isWon()).isTrue();
        assertThatCannotBeDecoded(won::value);
        assertThatCannotBeDecoded(() -> numbers.get(GetRequest.of(key("a"))));
        assertThat(numbers.get(GetRequest.of(key("a")).returning(ItemField.TTL)).isStale())
                .isTrue();
    }

    private void assertThatCannotBeDecoded(ThrowingCallable get) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(get)
                .satisfies(e -> assertThat(e.getCause()).hasMessage("java.lang.NumberFormatException"))
                .satisfies(e -> assertThat(e.key()).isEqualTo(key("a")));
    }

    @Test
    void setThatIsOlderThanTheItemStoresAsStale() {
        meta.set(SetRequest.of(key("a"), "one"));
        long older = cas("a");
        meta.set(SetRequest.of(key("a"), "two"));
        SetRequest<String> late = SetRequest.of(key("a"), "three").ifCas(older);
        assertThat(meta.set(late).status()).isEqualTo(WriteStatus.EXISTS);
        assertThat(meta.set(late.staleIfOlder()).isDone()).isTrue();
        MetaItem<String> item = find("a", ItemField.VALUE, ItemField.CAS);
        assertThat(item.value()).isEqualTo("three");
        assertThat(item.isStale()).isTrue();
        assertThat(item.isWon()).isTrue();
    }

    @Test
    void setObeysItsMode() {
        SetRequest<String> set = SetRequest.of(key("a"), "b");
        assertThat(meta.set(set.replacing()).status()).isEqualTo(WriteStatus.NOT_STORED);
        assertThat(meta.set(set.appending()).status()).isEqualTo(WriteStatus.NOT_STORED);
        assertThat(meta.set(set.adding()).isDone()).isTrue();
        assertThat(meta.set(set.adding()).status()).isEqualTo(WriteStatus.NOT_STORED);
        meta.set(SetRequest.of(key("a"), "c").appending());
        meta.set(SetRequest.of(key("a"), "a").prepending());
        assertThat(client.get(key("a"))).isEqualTo("abc");
        assertThat(meta.set(set.replacing()).isDone()).isTrue();
        assertThat(meta.set(SetRequest.of(key("miss"), "x").ifCas(1)).status()).isEqualTo(WriteStatus.NOT_FOUND);
    }

    @Test
    void deleteObeysItsCas() {
        assertThat(meta.delete(DeleteRequest.of(key("a")))).isEqualTo(WriteStatus.NOT_FOUND);
        meta.set(SetRequest.of(key("a"), "one"));
        long casUnique = cas("a");
        assertThat(meta.delete(DeleteRequest.of(key("a")).ifCas(casUnique + 1000)))
                .isEqualTo(WriteStatus.EXISTS);
        assertThat(meta.delete(DeleteRequest.of(key("a")).ifCas(casUnique))).isEqualTo(WriteStatus.DONE);
        assertThat(client.get(key("a"))).isNull();
    }

    @Test
    void appendWithVivifyCreatesAMissingItemIfSupported() {
        SetRequest<String> append = SetRequest.of(key("log"), "x").appending().vivify(MINUTE);
        boolean done = meta.set(append).isDone();
        assertThat(client.get(key("log"))).isEqualTo(done ? "x" : null);
        client.set(key("log"), "y", HOUR);
        assertThat(meta.set(append).isDone()).isTrue();
        assertThat(client.get(key("log"))).isEqualTo("yx");
    }

    @Test
    void explicitCasIsSetIfSupported() {
        boolean done = isDoneOrUnsupported(
                27, () -> meta.set(SetRequest.of(key("a"), "VERSION 1\r\nmn").newCas(4711)));
        if (done) {
            assertThat(cas("a")).isEqualTo(4711);
        } else {
            assertThat(client.get(key("a"))).isNull();
        }
        client.set(key("n"), "1", HOUR);
        isDoneOrUnsupported(27, () -> {
            meta.arithmetic(ArithmeticRequest.of(key("n")).newCas(4712));
            assertThat(cas("n")).isEqualTo(4712);
        });
        isDoneOrUnsupported(27, () -> {
            meta.delete(DeleteRequest.of(key("n")).invalidate().newCas(4713));
            assertThat(cas("n")).isEqualTo(4713);
        });
        isDoneOrUnsupported(
                27,
                () -> assertThat(meta.get(GetRequest.of(key("v"))
                                        .vivify(MINUTE)
                                        .newCas(4714)
                                        .returning(ItemField.CAS))
                                .casUnique())
                        .isEqualTo(4714));
    }

    @Test
    void deleteKeepsAnEmptyItemIfSupported() {
        client.set(key("a"), "value", HOUR);
        boolean done = isDoneOrUnsupported(
                27,
                () -> assertThat(meta.delete(DeleteRequest.of(key("a")).keepItem()))
                        .isEqualTo(WriteStatus.DONE));
        assertThat(client.get(key("a"))).isEqualTo(done ? "" : "value");
    }

    @Test
    void binaryKeysMayBeAnyBytes() {
        byte[] key = (key("") + "\0 \r\n\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(meta.get(GetRequest.of(key))).isNull();
        assertThat(meta.set(SetRequest.of(key, "7")).isDone()).isTrue();
        assertThat(meta.get(GetRequest.of(key)).value()).isEqualTo("7");
        assertThat(meta.arithmetic(ArithmeticRequest.of(key)).number()).isEqualTo(8);
        assertThat(meta.debug(key)).isNotNull();
        assertThat(meta.delete(DeleteRequest.of(key))).isEqualTo(WriteStatus.DONE);
        assertThat(meta.get(GetRequest.of(key))).isNull();
        byte[] longest = new byte[186];
        assertThat(meta.set(SetRequest.of(longest, "x")).isDone()).isTrue();
        meta.delete(DeleteRequest.of(longest));
    }

    @Test
    void binaryKeyThatIsTextNamesTheSameItem() {
        client.set(key("a"), "value", HOUR);
        byte[] key = key("a").getBytes(StandardCharsets.UTF_8);
        assertThat(meta.get(GetRequest.of(key)).value()).isEqualTo("value");
        assertThat(meta.debug(key)).isNotNull();
        meta.set(SetRequest.of(key, "stored in base64"));
        assertThat(client.get(key("a"))).isEqualTo("stored in base64");
        assertThat(meta.debug(key("a"))).isNotNull();
    }

    @Test
    void arithmeticCountsCreatesAndTouches() {
        LargeNumbers.count(key("n"), this::arithmeticCountsCreatesAndTouches);
    }

    private void arithmeticCountsCreatesAndTouches(String key) {
        ArithmeticRequest count = ArithmeticRequest.of(key);
        assertThat(meta.arithmetic(count).status()).isEqualTo(WriteStatus.NOT_FOUND);
        WriteResult created = meta.arithmetic(
                count.delta(3).vivify(-1, MINUTE).touch(HOUR).returningTtl().returningCas());
        assertThat(Long.toUnsignedString(created.number())).isEqualTo("18446744073709551615");
        assertThat(created.ttl().orElseThrow()).isLessThanOrEqualTo(MINUTE.plusSeconds(1));
        assertThat(meta.arithmetic(count).number()).isZero();
        WriteResult touched = meta.arithmetic(count.delta(10).touch(HOUR).returningTtl());
        assertThat(touched.number()).isEqualTo(10);
        assertThat(touched.ttl().orElseThrow()).isGreaterThan(MINUTE.plusSeconds(1));
        ArithmeticRequest down = count.decrementing();
        assertThat(meta.arithmetic(down.delta(4)).number()).isEqualTo(6);
        assertThat(meta.arithmetic(down.delta(-1)).number()).isZero();
    }

    @Test
    void arithmeticObeysItsCas() {
        client.set(key("n"), "5", TimeToLive.NEVER);
        long casUnique = cas("n");
        ArithmeticRequest count = ArithmeticRequest.of(key("n")).returningCas().returningTtl();
        WriteResult refused = meta.arithmetic(count.ifCas(casUnique + 1000));
        assertThat(refused.status()).isEqualTo(WriteStatus.EXISTS);
        assertThat(refused.isDone()).isFalse();
        assertThatIllegalStateException().isThrownBy(refused::number).withMessageContaining("EXISTS");
        WriteResult done = meta.arithmetic(count.ifCas(casUnique));
        assertThat(done.number()).isEqualTo(6);
        assertThat(done.ttl()).isEmpty();
        assertThat(done.casUnique()).isEqualTo(cas("n")).isNotEqualTo(casUnique);
    }

    @Test
    void debugReturnsTheServersDataOfAnItem() {
        assertThat(meta.debug(key("a"))).isNull();
        client.set(key("a"), "value", HOUR);
        Map<String, String> unread = meta.debug(key("a"));
        assertThat(unread).containsEntry("fetch", "no").containsKey("exp");
        assertThat(unread.get("cas")).matches("[1-9][0-9]*");
        assertThat(unread.get("la")).matches("[0-9]|[1-5][0-9]");
        assertThat(unread.get("cls")).matches("[1-9][0-9]*");
        assertThat(Integer.parseInt(unread.get("size"))).isBetween(5 + key("a").length(), 200);
        client.get(key("a"));
        assertThat(meta.debug(key("a"))).containsEntry("fetch", "yes");
    }
}
