// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the inputs of a fuzzer as manifests, with chunks of any length.
 *
 * <p>Without {@code JAZZER_FUZZ=1} in the environment it runs the inputs stored beside it. An input is a manifest of 40
 * bytes and, for each of its chunks, a byte for its length: zero if it is missing.
 */
class ManifestFuzzTest {

    private static final int MAX_BYTES = 50_000_000;
    private static final int USED_BYTES = 36;
    private static final int CHUNK_BYTES = 1_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private int taken;

    @FuzzTest(maxDuration = "5m")
    @DictionaryEntries({
        "MSC1",
        "\\x00\\x00\\x04\\x00",
        "\\x02\\xfa\\xf0\\x80",
        "\\x7f\\xff\\xff\\xff",
        "\\x00\\x00\\x00\\x01"
    })
    void manifestsAreAssembledOrRefusedInProportion(byte[] input) {
        int length = Math.min(input.length, Manifest.BYTES);
        EncodedValue item = new EncodedValue(Arrays.copyOf(input, length), Manifest.FLAGS);
        byte[] lengths = Arrays.copyOfRange(input, length, input.length);
        Manifest manifest;
        try {
            manifest = Manifest.parse(item, MAX_BYTES);
        } catch (MemcachedDecodingException e) {
            assertThat(e.flags()).isEqualTo(Manifest.FLAGS);
            return;
        }
        // The last bytes mean nothing yet.
        assertThat(Arrays.copyOf(manifest.toItem().data(), USED_BYTES)).isEqualTo(Arrays.copyOf(input, USED_BYTES));
        EncodedValue whole = null;
        long allocated = Long.MAX_VALUE;
        // The least is what it takes: a fuzzer allocates on this thread now and then.
        for (int again = 0; again < 3; again++) {
            taken = 0;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            whole = manifest.assemble(batch -> chunks(batch, lengths));
            allocated = Math.min(allocated, THREADS.getCurrentThreadAllocatedBytes() - before);
        }

        // The chunks themselves are among it.
        // The fuzzer allocates on this thread too.
        long most = System.getenv("JAZZER_FUZZ") == null ? 1L << 20 : 256L << 20;
        assertThat(allocated).as("bytes allocated").isLessThan(most + 10L * (taken + input.length));
        if (whole != null) {
            assertThat(whole.data()).hasSize(ByteBuffer.wrap(input).getInt(24));
        }
    }

    private Map<String, EncodedValue> chunks(List<String> batch, byte[] lengths) {
        assertThat(batch).hasSizeBetween(1, Manifest.MAX_CHUNKS_IN_FLIGHT);
        Map<String, EncodedValue> found = new HashMap<>();
        for (String key : batch) {
            int index = Integer.parseInt(key.substring(key.lastIndexOf(':') + 1));
            int length = lengths.length == 0 ? 0 : Byte.toUnsignedInt(lengths[index % lengths.length]) * CHUNK_BYTES;
            if (length > 0) {
                taken += length;
                found.put(key, new EncodedValue(new byte[length], 0));
            }
        }
        return found;
    }
}
