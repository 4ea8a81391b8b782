// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads the inputs of a fuzzer as an older client's values under any flags. What is read is written and read again.
 *
 * <p>Without {@code JAZZER_FUZZ=1} in the environment it runs the inputs stored beside it. An input is a digit for the
 * transcoder, four bytes of flags, and the value.
 */
class CompatibleFuzzTest {

    private static final List<Transcoder<Object>> READERS = List.of(
            CompatibleTranscoder.spymemcached(),
            CompatibleTranscoder.whalin(),
            CompatibleTranscoder.xmemcached().compression(Compression.zlib()));

    @FuzzTest(maxDuration = "5m")
    void valuesUnderAnyFlagsAreReadOrRefused(byte[] input) {
        if (input.length < 5) {
            return;
        }
        Transcoder<Object> reader = READERS.get(Math.floorMod(input[0] - '0', READERS.size()));
        ByteBuffer in = ByteBuffer.wrap(input, 1, input.length - 1);
        int flags = in.getInt();
        byte[] value = new byte[in.remaining()];
        in.get(value);
        ValueOracle.Outcome outcome = ValueOracle.decode(reader, value, flags);
        outcome.assertTakesNoMoreThan(ValueOracle.MIB + 10L * value.length);
        if (outcome.isRead()) {
            EncodedValue written = reader.encode(reader.decode(value, flags));
            EncodedValue again = reader.encode(reader.decode(written.data(), written.flags()));
            assertThat(again.data()).isEqualTo(written.data());
            assertThat(again.flags()).isEqualTo(written.flags());
        }
    }
}
