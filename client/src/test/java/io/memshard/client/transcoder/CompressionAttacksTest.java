// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compressed values made to harm the reader: each is refused, or read at a price in proportion. */
class CompressionAttacksTest {

    /**
     * A value, and what must come of it.
     *
     * @param reason a word of the failure; null if the value is read
     */
    private record Attack(
            String name,
            Transcoder<?> transcoder,
            int flags,
            byte[] value,
            @Nullable String reason) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Attack compressed(String name, Compression compression, byte[] value, @Nullable String reason) {
        int flag = compression
                .thresholdBytes(0)
                .around(Transcoder.bytes())
                .encode(new byte[100])
                .flags();
        return new Attack(name, compression.around(Transcoder.bytes()), flag, value, reason);
    }

    static Stream<Attack> compression() {
        byte[] zeros = new byte[20 * ValueOracle.MIB];
        byte[] none = new byte[0];
        byte[] text = new byte[1000];
        Codec zstd = new ZstdCodec();
        byte[] skippable = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
        List<Attack> attacks = new ArrayList<>();
        Map<Codec, Compression> codecs =
                Map.of(Codec.GZIP, Compression.gzip(), Codec.ZLIB, Compression.zlib(), zstd, Compression.zstd());
        codecs.forEach((codec, each) -> {
            attacks.add(compressed("20 MiB of zeros by " + codec, each, codec.compress(zeros), "maxBytes"));
            attacks.add(compressed(
                    "512 KiB of zeros by " + codec,
                    each,
                    codec.compress(Arrays.copyOf(zeros, ValueOracle.MIB / 2)),
                    null));
            attacks.add(compressed("a fragment by " + codec, each, new byte[] {0x1f, (byte) 0x8b, 8, 4}, "damaged"));
        });
        byte[] empty = Codec.GZIP.compress(none);
        byte[] gzip = Codec.GZIP.compress(text);
        attacks.addAll(List.of(
                compressed("empty gzip members", Compression.gzip(), repeated(50_000, empty), "damaged"),
                compressed(
                        "gzip members of 10 kB",
                        Compression.gzip(),
                        repeated(10_000, Codec.GZIP.compress(new byte[10_000])),
                        "damaged"),
                compressed(
                        "gzip members of 200 kB",
                        Compression.gzip(),
                        repeated(100, Codec.GZIP.compress(new byte[200_000])),
                        "maxBytes"),
                compressed(
                        "a gzip header with a name of 500 kB",
                        Compression.gzip(),
                        repeated(
                                1,
                                new byte[] {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0},
                                repeated(500_000, new byte[] {'x'})),
                        "damaged"),
                compressed("gzip that claims 1 MiB", Compression.gzip(), ending(gzip, 0, 0, 16, 0), "damaged"),
                compressed("gzip that claims 2 GiB", Compression.gzip(), ending(gzip, 255, 255, 255, 127), "damaged"),
                compressed(
                        "gzip that claims a byte, and has it",
                        Compression.gzip(),
                        repeated(1, gzip, Codec.GZIP.compress(new byte[1])),
                        null),
                compressed(
                        "zlib with a dictionary",
                        Compression.zlib(),
                        new byte[] {0x78, (byte) 0xbb, 1, 2, 3, 4, 3, 0, 0, 0, 0, 1},
                        "damaged"),
                compressed("empty zstd frames", Compression.zstd(), repeated(70_000, zstd.compress(none)), null),
                compressed("zstd frames to skip", Compression.zstd(), repeated(100_000, skippable), null)));
        return attacks.stream();
    }

    /** Parts one after the other, many times. */
    private static byte[] repeated(int times, byte[] part, byte[]... end) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(part);
        }
        Arrays.stream(end).forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** The bytes with others at their end. */
    private static byte[] ending(byte[] data, int... end) {
        byte[] changed = data.clone();
        for (int i = 0; i < end.length; i++) {
            changed[data.length - end.length + i] = (byte) end[i];
        }
        return changed;
    }

    @ParameterizedTest
    @MethodSource("compression")
    void compressedValuesCostInProportion(Attack attack) {
        byte[] value = attack.value;
        ValueOracle.decodeAttack(attack.transcoder, value, attack.flags)
                .assertIs(attack.reason)
                .assertTakesNoMoreThan(ValueOracle.MIB + 10L * value.length);
    }
}
