// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.exception.MemcachedDecodingException;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompatibleTranscoderTest {

    private static final CompatibleTranscoder SPYMEMCACHED = CompatibleTranscoder.spymemcached();
    private static final CompatibleTranscoder WHALIN = CompatibleTranscoder.whalin();

    private static void assertUndecodable(Transcoder<?> transcoder, byte[] data, int flags, String... words) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> transcoder.decode(data, flags))
                .withMessageContainingAll(words)
                .withMessageContaining("(flags 0x" + Integer.toHexString(flags) + ")")
                .satisfies(e -> {
                    assertThat(e.flags()).isEqualTo(flags);
                    assertThat(e.isSafeToRetry()).isFalse();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "0x100, 0, Boolean", "0x100, 2, Boolean",
        "0x200, 5, Integer", "0x300, 9, Long",
        "0x400, 9, Date", "0x500, 0, Byte",
        "0x500, 2, Byte", "0x600, 5, Float",
        "0x700, 9, Double", "0x700, 100000, Double",
    })
    void wrongLengthsAreRejected(String flags, int length, String type) {
        assertUndecodable(
                SPYMEMCACHED, new byte[length], Integer.decode(flags), "flagged as " + type, "(length " + length + ")");
    }

    @Test
    void badBooleansAndNumbersOutOfRangeAreRejected() {
        assertUndecodable(SPYMEMCACHED, new byte[] {1}, 1 << 8, "as Boolean, but its data (length 1) is not");
        assertUndecodable(WHALIN, new byte[] {'1'}, 8192, "as Boolean, but its data (length 1) is not");
        assertUndecodable(WHALIN, new byte[] {0, 1, 0, 0}, 16, "as Character, but its data (length 4) is not");
        assertUndecodable(WHALIN, new byte[] {0, 0, (byte) 0x80, 0}, 256, "as Short, but its data (length 4) is not");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 9 << 8, 0xff00, 1 << 16, 1 << 8 | 4, 1 << 8 | 1, 1 << 31, -1 & ~2})
    void unknownFlagsAreRejected(int flags) {
        assertUndecodable(SPYMEMCACHED, new byte[1], flags, "SerializingTranscoder does not write");
    }

    @Test
    void serializedValuesNameTheSettingToEnable() {
        byte[] string = {(byte) 0xac, (byte) 0xed, 0, 5, 't', 0, 1, 'a'};
        assertUndecodable(SPYMEMCACHED, string, 1, "enable CompatibleTranscoder.javaSerialization");
        assertUndecodable(WHALIN, string, 8, "enable CompatibleTranscoder.javaSerialization");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SPYMEMCACHED.encode(new Order("Ada", List.of())))
                .withMessageContainingAll(Order.class.getName(), "String, Boolean, Integer", "javaSerialization");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SPYMEMCACHED.encode((short) 1))
                .withMessageContaining("java.lang.Short");
        assertThatNullPointerException().isThrownBy(() -> SPYMEMCACHED.encode(null));
    }

    @Test
    void compressionThatHidesABadNumberNamesTheFlagsAsStored() {
        EncodedValue zeros =
                Compression.gzip().thresholdBytes(0).around(Transcoder.bytes()).encode(new byte[100]);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> new EncodedValue(zeros.data(), 2 | 3 << 8).decodeWith(SPYMEMCACHED, "user:1", false))
                .withMessage(
                        "the value is flagged as Long, but its data (length 100) is not of this type (flags 0x302): \"user:1\"")
                .satisfies(e -> {
                    assertThat(e.flags()).isEqualTo(0x302);
                    assertThat(e.key()).isEqualTo("user:1");
                });
    }

    @Test
    void onlyTakesOneType() {
        Transcoder<Integer> ints = SPYMEMCACHED.only(Integer.class);
        EncodedValue stored = ints.encode(300);
        assertThat(stored.data()).containsExactly(1, 44);
        assertThat(ints.decode(stored.data(), stored.flags())).isEqualTo(300);
        EncodedValue text = SPYMEMCACHED.encode("300");
        assertUndecodable(ints, text.data(), text.flags(), "is a java.lang.String and not a java.lang.Integer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SPYMEMCACHED.only(Short.class))
                .withMessageContaining("SerializingTranscoder has no flag for java.lang.Short");
        assertThatIllegalArgumentException().isThrownBy(() -> SPYMEMCACHED.only(int.class));
        Transcoder<Short> shorts = WHALIN.only(Short.class);
        assertThat(shorts.decode(new byte[] {-1, -1, -1, -2}, 256)).isEqualTo((short) -2);
        Transcoder<Order> orders = SPYMEMCACHED
                .javaSerialization(JavaSerialization.allowing(Order.CLASSES))
                .only(Order.class);
        Order order = new Order("Ada", new ArrayList<>(List.of(1)));
        EncodedValue serialized = orders.encode(order);
        assertThat(orders.decode(serialized.data(), serialized.flags())).isEqualTo(order);
    }

    record Money(long cents) implements Serializable {

        private Object writeReplace() {
            return new Written(cents);
        }

        record Written(long cents) implements Serializable {

            private Object readResolve() {
                return new Money(cents);
            }
        }
    }

    private static Transcoder<Object> allowing(String... names) {
        return SPYMEMCACHED.javaSerialization(JavaSerialization.allowing(names));
    }

    @Test
    void immutableCollectionsAreReadWhereTheyAreWritten() {
        Transcoder<Object> named = allowing("java.util.CollSer", "java.lang.Integer");
        for (Object value :
                List.of(List.of(1), List.of(1, 2, 3), Set.of(1), Set.of(1, 2, 3), Map.of(1, 2), Map.of(1, 2, 3, 4))) {
            EncodedValue written = named.encode(value);
            assertThat(named.decode(written.data(), written.flags())).isEqualTo(value);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allowing("java.lang.Integer").encode(List.of(1)))
                .withMessageContaining("java.util.CollSer is not allowed");
    }

    /** Whoever allows a class allows what it makes of itself. */
    @Test
    void aClassThatBecomesAnotherOneIsAllowedForBoth() {
        for (Object value : List.of(new Money(5), Duration.ofDays(1))) {
            Transcoder<Object> standIn = allowing(Money.Written.class.getName(), "java.time.Ser");
            EncodedValue written = standIn.encode(value);
            assertThat(standIn.decode(written.data(), written.flags())).isEqualTo(value);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allowing(Money.class.getName()).encode(new Money(5)))
                .withMessageContaining("Java serialization of " + Money.Written.class.getName() + " is not allowed");
    }

    @Test
    void instantsAreDatesToTheMillisecond() {
        Instant instant = Instant.parse("2026-11-21T04:41:00.123456789Z");
        EncodedValue stored = WHALIN.encode(instant);
        assertThat(WHALIN.decode(stored.data(), stored.flags())).isEqualTo(Date.from(instant));
        Transcoder<Instant> instants = SPYMEMCACHED.only(Instant.class);
        EncodedValue typed = instants.encode(instant);
        assertThat(instants.decode(typed.data(), typed.flags())).isEqualTo(Instant.parse("2026-11-21T04:41:00.123Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\ud83d", "\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "?\udc00?"})
    void halfASurrogatePairIsNotStoredAsAQuestionMark(String value) {
        for (Transcoder<String> transcoder :
                List.of(Transcoder.utf8(), SPYMEMCACHED.only(String.class), WHALIN.only(String.class))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transcoder.encode(value))
                    .withMessageContaining("half a surrogate pair");
            EncodedValue whole = transcoder.encode("\ud83d\ude00?");
            assertThat(transcoder.decode(whole.data(), whole.flags())).isEqualTo("\ud83d\ude00?");
        }
    }
}
