// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.TimeToLive;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaCommandsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MetaCommands<String> commands = new MetaCommands<>(
            new ValueCoder<>(
                    Transcoder.utf8(),
                    10,
                    Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC),
                    false,
                    false),
            KeyRule.NONE);

    private static String line(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, 1);
        return new String(out.drain(), UTF_8);
    }

    private String get(GetRequest request) {
        return line(commands.get(request));
    }

    @Test
    void getCarriesWhatItAsksForAndDoes() {
        GetRequest get = GetRequest.of("k");
        assertThat(get(get)).isEqualTo("mg k v f O1\r\n");
        assertThat(get(get.returning())).isEqualTo("mg k O1\r\n");
        assertThat(get(get.returning(ItemField.values()))).isEqualTo("mg k v f c t h l s O1\r\n");
        assertThat(get(get.returning(ItemField.CLIENT_FLAGS, ItemField.SIZE))).isEqualTo("mg k f s O1\r\n");
        assertThat(get(get.unlessCas(7))).isEqualTo("mg k C7 v f O1\r\n");
        assertThat(get(get.withoutBump())).isEqualTo("mg k u v f O1\r\n");
        assertThat(get(get.newCas(-1).vivify(TimeToLive.NEVER))).isEqualTo("mg k N0 E18446744073709551615 v f O1\r\n");
    }

    @Test
    void recacheThenTouchThenVivifyThenWhatIsReturned() {
        GetRequest get = GetRequest.of("k").returning(ItemField.TTL);
        assertThat(get(get.vivify(MINUTE).touch(Duration.ofDays(31)).recacheBelow(Duration.ofMillis(1))))
                .isEqualTo("mg k R1 T1702678400 N60 t O1\r\n");
    }

    @Test
    void commandsAreNotChangedByWhatIsMadeOfThem() {
        GetRequest get = GetRequest.of("k");
        get.touch(MINUTE).withoutBump().returning(ItemField.CAS);
        assertThat(get(get)).isEqualTo("mg k v f O1\r\n");
        assertThat(get.touch(MINUTE)).hasToString("mg k");
    }

    @Test
    void setCarriesModeConditionAndClientFlags() {
        SetRequest<String> set = SetRequest.of("k", "abc");
        assertThat(line(commands.set(set))).isEqualTo("ms k 3 O1\r\nabc\r\n");
        assertThat(line(commands.set(
                        set.ttl(MINUTE).ifCas(7).staleIfOlder().newCas(9).returningCas())))
                .isEqualTo("ms k 3 T60 C7 E9 I c O1\r\nabc\r\n");
        assertThat(line(commands.set(set.returningSize()))).isEqualTo("ms k 3 s O1\r\nabc\r\n");
        assertThat(line(commands.set(set.appending().vivify(MINUTE)))).isEqualTo("ms k 3 N60 MA O1\r\nabc\r\n");
        assertThat(line(commands.set(set.prepending()))).contains(" MP ");
        assertThat(line(commands.set(set.adding()))).contains(" ME ");
        assertThat(line(commands.set(set.replacing()))).contains(" MR ");
        assertThat(line(commands.set(set.adding().replacing())))
                .contains(" MR ")
                .doesNotContain(" ME");
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
        assertThat(line(new MetaCommands<>(
                                new ValueCoder<>(asStored, 10, Clock.systemUTC(), false, false), KeyRule.NONE)
                        .set(SetRequest.of("k", new EncodedValue(new byte[0], -1)))))
                .isEqualTo("ms k 0 F4294967295 O1\r\n\r\n");
    }

    @Test
    void deleteAndArithmeticCarryTheirFlags() {
        DeleteRequest delete = DeleteRequest.of("k");
        assertThat(line(commands.delete(delete))).isEqualTo("md k O1\r\n");
        assertThat(line(commands.delete(delete.ifCas(7).invalidate().ttl(MINUTE))))
                .isEqualTo("md k T60 C7 I O1\r\n");
        assertThat(line(commands.delete(delete.keepItem().newCas(8)))).isEqualTo("md k E8 x O1\r\n");
        ArithmeticRequest count = ArithmeticRequest.of("k");
        assertThat(line(commands.arithmetic(count))).isEqualTo("ma k v O1\r\n");
        assertThat(line(commands.arithmetic(count.returningTtl()
                        .returningCas()
                        .delta(-1)
                        .decrementing()
                        .vivify(5, TimeToLive.NEVER)
                        .touch(MINUTE)
                        .ifCas(3)
                        .newCas(4))))
                .isEqualTo("ma k T60 N0 C3 E4 MD J5 D18446744073709551615 v c t O1\r\n");
    }

    @Test
    void binaryKeysAreSentInBase64() {
        ItemKey key = ItemKey.binary(new byte[] {0, ' ', '\r', '\n', -1});
        assertThat(get(GetRequest.of(key))).isEqualTo("mg ACANCv8= b v f O1\r\n");
        assertThat(line(commands.set(SetRequest.of(key, "x")))).isEqualTo("ms ACANCv8= 1 b O1\r\nx\r\n");
        assertThat(line(commands.delete(DeleteRequest.of(key)))).isEqualTo("md ACANCv8= b O1\r\n");
        assertThat(line(commands.arithmetic(ArithmeticRequest.of(key)))).isEqualTo("ma ACANCv8= b v O1\r\n");
        assertThat(line(commands.debug(key))).isEqualTo("me ACANCv8= b\r\n");
        assertThat(ItemKey.binary(new byte[ItemKey.MAX_BINARY_BYTES]).text()).hasSize(248);
        for (int length : new int[] {0, 187}) {
            assertThatIllegalArgumentException().isThrownBy(() -> ItemKey.binary(new byte[length]));
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
        assertThatIllegalArgumentException().isThrownBy(() -> set.ifCas(0)).withMessageContaining("casUnique is 0");
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> commands.set(SetRequest.of("k", "01234567890")))
                .withMessageContaining("maxValueBytes=10");
    }

    /** A server closes no connection on it, but answers what no command has asked for. */
    @ParameterizedTest
    @ValueSource(strings = {"YQ", "YQ=", "YR==", "Y Q==", "a", "====", "YQ==YQ==", "_w==", "YQ==\n", "%%%%"})
    void aBinaryKeyIsTheBase64OfItsBytesAndNothingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new ItemKey(text, true));
        assertThat(new ItemKey("YQ==", true)).isEqualTo(ItemKey.binary(new byte[] {'a'}));
    }
}
