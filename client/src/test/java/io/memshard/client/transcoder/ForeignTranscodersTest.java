// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.rubyeye.xmemcached.transcoders.CompressionMode;
import net.rubyeye.xmemcached.transcoders.SerializingTranscoder;
import net.spy.memcached.CachedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Round trips between our transcoders and those of spymemcached and XMemcached, each way. */
class ForeignTranscodersTest {

    private static final int COMPRESSED = 2;

    private static final List<Object> VALUES = all(
            List.of("", "text", "h\u00e9llo \u20ac \ud83d\ude00", "{\"json\": 1}", "42", "\u20ac".repeat(100_000)),
            List.of(
                    "x".repeat(Compression.DEFAULT_THRESHOLD_BYTES),
                    "x".repeat(Compression.DEFAULT_THRESHOLD_BYTES + 1)),
            List.of(true, false),
            List.of(0, 1, -1, 127, 128, 255, 256, 0xff00, 0x10000, 0x7f_00_00, 1 << 24),
            List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE),
            List.of(0L, 1L, -1L, 255L, 256L, 1L << 31, 1L << 32, -1L << 32, 1L << 56),
            List.of(new Date(0), new Date(-1), new Date(1_763_700_000_123L), new Date(Long.MAX_VALUE)),
            List.of((byte) 0, (byte) 1, Byte.MIN_VALUE, Byte.MAX_VALUE),
            List.of(0f, -0f, 1.5f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY),
            List.of(0d, -0d, Math.PI, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY),
            List.of(new byte[0], new byte[] {0, 1, -1}, new byte[100_000], noise(100_000)));

    private static final List<Object> WHALIN_VALUES = all(
            List.of('a', '\0', '\uffff'),
            List.of((short) 0, (short) -1, Short.MIN_VALUE, Short.MAX_VALUE),
            List.of(new StringBuilder("built \u20ac"), new StringBuilder()),
            List.of(new StringBuffer("buffered"), new StringBuffer("y".repeat(50_000))));

    private static List<Object> all(List<?>... ofTypes) {
        return Stream.of(ofTypes).<Object>flatMap(List::stream).toList();
    }

    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(1).nextBytes(noise);
        return noise;
    }

    static Stream<Arguments> values() {
        return Arrays.stream(Foreign.values())
                .flatMap(foreign -> Stream.concat(
                                VALUES.stream(), foreign.isWhalin() ? WHALIN_VALUES.stream() : Stream.empty())
                        .map(value -> Arguments.of(foreign, value)));
    }

    private static void assertSameValue(Object read, Object value) {
        assertThat(read).hasSameClassAs(value);
        if (value instanceof CharSequence text) {
            assertThat(read.toString()).isEqualTo(text.toString());
        } else {
            assertThat(read).isEqualTo(value);
        }
    }

    private static Object decode(CompatibleTranscoder transcoder, EncodedValue stored) {
        return transcoder.decode(stored.data(), stored.flags());
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("values")
    void bothWriteTheSameBytesAndReadEachOther(Foreign foreign, Object value) {
        EncodedValue theirs = foreign.theirs().encode(value);
        EncodedValue ours = foreign.ours().encode(value);
        assertSameValue(decode(foreign.ours(), theirs), value);
        assertSameValue(foreign.theirs().decode(ours), value);
        assertThat(ours.flags()).isEqualTo(theirs.flags());
        if ((theirs.flags() & COMPRESSED) == 0) {
            assertThat(ours.data()).isEqualTo(theirs.data());
        }
    }

    @ParameterizedTest
    @EnumSource
    void serializedObjectsPassEachWayIfTheyAreAllowed(Foreign foreign) {
        CompatibleTranscoder ours = foreign.ours().javaSerialization(JavaSerialization.allowing(Order.CLASSES));
        for (Order order : List.of(
                new Order("Ada", new ArrayList<>(List.of(1, 2))), new Order("A".repeat(100_000), new ArrayList<>()))) {
            assertThat(decode(ours, foreign.theirs().encode(order))).isEqualTo(order);
            assertThat(foreign.theirs().decode(ours.encode(order))).isEqualTo(order);
        }
    }

    @ParameterizedTest
    @EnumSource
    void subclassesOfDateAreWrittenAsTheyWriteThem(Foreign foreign) {
        Timestamp timestamp = new Timestamp(1_763_700_000_123L);
        EncodedValue theirs = foreign.theirs().encode(timestamp);
        EncodedValue ours = foreign.ours().encode(timestamp);
        assertThat(ours.flags()).isEqualTo(theirs.flags());
        assertThat(ours.data()).isEqualTo(theirs.data());
        assertThat(decode(foreign.ours(), ours)).isEqualTo(new Date(timestamp.getTime()));
    }

    @Test
    void xmemcachedsOtherSettingsAreRead() {
        SerializingTranscoder zip = new SerializingTranscoder();
        zip.setCompressionMode(CompressionMode.ZIP);
        CompatibleTranscoder ours = CompatibleTranscoder.xmemcached().compression(Compression.zlib());
        String text = "x".repeat(100_000);
        net.rubyeye.xmemcached.transcoders.CachedData zipped = zip.encode(text);
        assertThat(ours.decode(zipped.getData(), zipped.getFlag())).isEqualTo(text);
        EncodedValue back = ours.encode(text);
        assertThat(back.data()).hasSizeLessThan(1_000);
        assertThat(zip.decode(new net.rubyeye.xmemcached.transcoders.CachedData(back.flags(), back.data())))
                .isEqualTo(text);

        SerializingTranscoder asStrings = new SerializingTranscoder();
        asStrings.setPrimitiveAsString(true);
        net.rubyeye.xmemcached.transcoders.CachedData number = asStrings.encode(-7);
        assertThat(CompatibleTranscoder.xmemcached().decode(number.getData(), number.getFlag()))
                .isEqualTo("-7");

        SerializingTranscoder unpacked = new SerializingTranscoder();
        unpacked.setPackZeros(false);
        net.rubyeye.xmemcached.transcoders.CachedData wide = unpacked.encode(7L);
        assertThat(wide.getData()).hasSize(Long.BYTES);
        assertThat(CompatibleTranscoder.xmemcached().decode(wide.getData(), wide.getFlag()))
                .isEqualTo(7L);
    }

    @Test
    void ourTypedTranscodersReadTheirPlainNumbers() {
        CachedData number = new net.spy.memcached.transcoders.LongTranscoder().encode(1L << 40);
        assertThat(CompatibleTranscoder.spymemcached().only(Long.class).decode(number.getData(), number.getFlags()))
                .isEqualTo(1L << 40);
    }
}
