package io.memshard.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaArithmetic;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.RequestBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class MetaRequestsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MetaRequests<String> requests = new MetaRequests<>(
            Transcoder.utf8(), 10, Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC));

    private static String line(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, 1);
        return new String(out.array(), 0, out.length(), UTF_8);
    }

    private String get(GetRequest request) {
        return line(requests.get(request));
    }

    @Test
    void getCarriesWhatItAsksForAndDoes() {
        GetRequest get = GetRequest.of("k");
        assertThat(get(get)).isEqualTo("mg k v f O1\r\n");
        assertThat(get(get.returning())).isEqualTo("mg k O1\r\n");
        assertThat(get(get.returning(ItemField.values()))).isEqualTo("mg k v f c t h l s O1\r\n");
        assertThat(get(get.returning(ItemField.CLIENT_FLAGS, ItemField.SIZE))).isEqualTo("mg k f s O1\r\n");
        assertThat(get(get.withoutBump())).isEqualTo("mg k u v f O1\r\n");
        assertThat(get(get.newCas(-1).vivify(Duration.ZERO))).isEqualTo("mg k N0 E18446744073709551615 v f O1\r\n");
    }

    @Test
    void recacheComesBeforeTouchAndTouchBeforeVivifyAndWhatIsReturnedLast() {
        GetRequest get = GetRequest.of("k").returning(ItemField.TTL);
        assertThat(get(get.vivify(MINUTE).touch(Duration.ofDays(31)).recacheBelow(Duration.ofMillis(1))))
                .isEqualTo("mg k R1 T1702678400 N60 t O1\r\n");
    }

    @Test
    void requestsAreNotChangedByWhatIsMadeOfThem() {
        GetRequest get = GetRequest.of("k");
        get.touch(MINUTE).withoutBump().returning(ItemField.CAS);
        assertThat(get(get)).isEqualTo("mg k v f O1\r\n");
        assertThat(get.touch(MINUTE)).hasToString("mg k TPT1M v f");
    }

    @Test
    void setCarriesModeConditionAndClientFlags() {
        SetRequest<String> set = SetRequest.of("k", "abc");
        assertThat(line(requests.set(set))).isEqualTo("ms k 3 O1\r\nabc\r\n");
        assertThat(line(requests.set(
                        set.ttl(MINUTE).ifCas(7).staleIfOlder().newCas(9).returningCas())))
                .isEqualTo("ms k 3 T60 C7 E9 I c O1\r\nabc\r\n");
        assertThat(line(requests.set(set.mode(MetaSet.Mode.APPEND).vivify(MINUTE))))
                .isEqualTo("ms k 3 N60 MA O1\r\nabc\r\n");
        assertThat(line(requests.set(set.mode(MetaSet.Mode.PREPEND)))).contains(" MP ");
        assertThat(line(requests.set(set.mode(MetaSet.Mode.ADD)))).contains(" ME ");
        assertThat(line(requests.set(set.mode(MetaSet.Mode.REPLACE)))).contains(" MR ");
        assertThat(line(requests.set(set.mode(MetaSet.Mode.ADD).mode(MetaSet.Mode.SET))))
                .doesNotContain(" M");
        Transcoder<EncodedValue> asStored = new Transcoder<>() {
            @Override
            public EncodedValue encode(EncodedValue value) {
                return value;
            }

            @Override
            public EncodedValue decode(byte[] data, int flags) {
                return new EncodedValue(data, flags);
            }
        };
        assertThat(line(new MetaRequests<>(asStored, 10, Clock.systemUTC())
                        .set(SetRequest.of("k", new EncodedValue(new byte[0], -1)))))
                .isEqualTo("ms k 0 F4294967295 O1\r\n\r\n");
    }

    @Test
    void deleteAndArithmeticCarryTheirFlags() {
        DeleteRequest delete = DeleteRequest.of("k");
        assertThat(line(requests.delete(delete))).isEqualTo("md k O1\r\n");
        assertThat(line(requests.delete(delete.ifCas(7).invalidate().ttl(MINUTE))))
                .isEqualTo("md k T60 C7 I O1\r\n");
        assertThat(line(requests.delete(delete.keepItem().newCas(8)))).isEqualTo("md k E8 x O1\r\n");
        ArithmeticRequest count = ArithmeticRequest.of("k");
        assertThat(line(requests.arithmetic(count))).isEqualTo("ma k v O1\r\n");
        assertThat(line(requests.arithmetic(count.returningTtl()
                        .returningCas()
                        .delta(-1)
                        .mode(MetaArithmetic.Mode.DECREMENT)
                        .vivify(5, Duration.ZERO)
                        .touch(MINUTE)
                        .ifCas(3)
                        .newCas(4))))
                .isEqualTo("ma k T60 N0 C3 E4 MD J5 D18446744073709551615 v c t O1\r\n");
    }

    @Test
    void binaryKeysAreSentInBase64() {
        ItemKey key = ItemKey.binary(new byte[] {0, ' ', '\r', '\n', -1});
        assertThat(get(GetRequest.of(key))).isEqualTo("mg ACANCv8= b v f O1\r\n");
        assertThat(line(requests.set(SetRequest.of(key, "x")))).isEqualTo("ms ACANCv8= 1 b O1\r\nx\r\n");
        assertThat(line(requests.delete(DeleteRequest.of(key)))).isEqualTo("md ACANCv8= b O1\r\n");
        assertThat(line(requests.arithmetic(ArithmeticRequest.of(key)))).isEqualTo("ma ACANCv8= b v O1\r\n");
        assertThat(line(requests.debug(key))).isEqualTo("me ACANCv8= b\r\n");
        assertThat(ItemKey.binary(new byte[ItemKey.MAX_BINARY_BYTES]).text()).hasSize(248);
        for (int length : new int[] {0, 187}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ItemKey.binary(new byte[length]))
                    .withMessageContaining("binary key has " + length + " bytes: it has 1 to 186");
        }
    }

    @Test
    void whatNoServerCouldDoIsRefusedAtOnce() {
        Duration negative = Duration.ofSeconds(-1);
        SetRequest<String> set = SetRequest.of("k", "v");
        assertThatIllegalArgumentException().isThrownBy(() -> GetRequest.of("a b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GetRequest.of("k").vivify(negative))
                .withMessageContaining("ttl is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GetRequest.of("k").recacheBelow(Duration.ZERO))
                .withMessageContaining("remaining is zero");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GetRequest.of("k").recacheBelow(Duration.ofDays(30_000)))
                .withMessageStartingWith("remaining is PT720000H: ");
        assertThatIllegalArgumentException().isThrownBy(() -> set.ifCas(0)).withMessageContaining("casUnique is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> requests.set(set.vivify(MINUTE)))
                .withMessageContaining("vivify goes with mode APPEND or PREPEND");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> requests.set(set.staleIfOlder()))
                .withMessageContaining("staleIfOlder goes with ifCas");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> requests.delete(DeleteRequest.of("k").ttl(MINUTE)))
                .withMessageContaining("go with invalidate or keepItem");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> requests.delete(DeleteRequest.of("k").newCas(1)));
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> requests.set(SetRequest.of("k", "01234567890")))
                .withMessageContaining("maxValueBytes=10");
    }

    @Test
    void loadOptionsRefuseTimesThatAreNone() {
        LoadOptions options = LoadOptions.DEFAULTS;
        Duration negative = Duration.ofNanos(-1);
        assertThatIllegalArgumentException().isThrownBy(() -> options.withClaimTtl(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withRecacheBelow(negative));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withMaxWait(negative, LoadOptions.AfterWait.FAIL));
    }

    @Test
    void valueIsRecachedInItsLastTenthUnlessTheOptionsSayOtherwise() {
        LoadOptions options = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(3));
        String claim = "mg k N3 v f c";
        assertThat(get(new LoadPlan<>("k", MINUTE, options).request())).isEqualTo("mg k R6 N3 v f c O1\r\n");
        assertThat(get(new LoadPlan<>("k", Duration.ofSeconds(9), options).request()))
                .startsWith(claim);
        assertThat(get(new LoadPlan<>("k", Duration.ZERO, options).request())).startsWith(claim);
        assertThat(get(new LoadPlan<>("k", MINUTE, options.withRecacheBelow(Duration.ZERO)).request()))
                .startsWith(claim);
        assertThat(get(new LoadPlan<>("k", MINUTE, options.withRecacheBelow(Duration.ofSeconds(2))).request()))
                .startsWith("mg k R2 N3");
    }
}
