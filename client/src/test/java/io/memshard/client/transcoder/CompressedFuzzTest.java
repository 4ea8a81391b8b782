// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the inputs of a fuzzer as compressed values.
 *
 * <p>Without {@code JAZZER_FUZZ=1} in the environment it runs the inputs stored beside it. An input is a digit for the
 * transcoder, a byte for the flags, and the value.
 */
class CompressedFuzzTest {

    private static final int ZSTD = 1 << 16;

    private static final List<Transcoder<byte[]>> READERS = List.of(
            Compression.gzip().around(Transcoder.bytes()),
            Compression.zlib().around(Transcoder.bytes()),
            Compression.zstd().around(Transcoder.bytes()),
            Compression.gzip().around(Compression.zstd().around(Transcoder.bytes())),
            Compression.zlib().maxBytes(1000).around(Transcoder.bytes()));

    @FuzzTest(maxDuration = "5m")
    @DictionaryEntries({
        "\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x00\\x00",
        "\\x1f\\x8b\\x08\\x1e",
        "\\x03\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00",
        "\\x78\\x9c",
        "\\x78\\xbb",
        "\\x28\\xb5\\x2f\\xfd",
        "\\x50\\x2a\\x4d\\x18"
    })
    void compressedValuesAreReadOrRefusedInProportion(byte[] input) {
        if (input.length < 2) {
            return;
        }
        byte[] value = Arrays.copyOfRange(input, 2, input.length);
        Transcoder<byte[]> reader = READERS.get(Math.floorMod(input[0] - '0', READERS.size()));
        // Both bits of compression, one of them or none.
        int flags = (input[1] & 1) * 2 + (input[1] >> 1 & 1) * ZSTD;
        ValueOracle.decode(reader, value, flags).assertTakesNoMoreThan(ValueOracle.MIB + 10L * value.length);
    }
}
