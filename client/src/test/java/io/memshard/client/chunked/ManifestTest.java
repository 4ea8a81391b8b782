// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {

    private static final EncodedValue VALUE = new EncodedValue("0123456789".getBytes(US_ASCII), 7);

    private static Map<String, EncodedValue> chunks(Manifest manifest, String... parts) {
        List<String> keys = manifest.chunkKeys();
        assertThat(keys).hasSize(parts.length);
        Map<String, EncodedValue> chunks = new HashMap<>();
        for (int i = 0; i < parts.length; i++) {
            chunks.put(keys.get(i), new EncodedValue(parts[i].getBytes(US_ASCII), 0));
        }
        return chunks;
    }

    private static EncodedValue assembled(Manifest manifest, Map<String, EncodedValue> chunks) {
        return manifest.assemble(batch -> {
            Map<String, EncodedValue> found = new HashMap<>(chunks);
            found.keySet().retainAll(batch);
            return found;
        });
    }

    @Test
    void onlyTheWrittenChunksAreAssembled() {
        Manifest manifest = Manifest.of(VALUE, 4);
        EncodedValue whole = assembled(manifest, chunks(manifest, "0123", "4567", "89"));
        assertThat(whole).isNotNull();
        assertThat(whole.data()).isEqualTo(VALUE.data());
        assertThat(whole.flags()).isEqualTo(7);

        assertThat(assembled(manifest, chunks(manifest, "0123", "4567", "8"))).isNull();
        assertThat(assembled(manifest, chunks(manifest, "0123", "4567", "890"))).isNull();
        assertThat(assembled(manifest, chunks(manifest, "0123", "4567", "98"))).isNull();
        assertThat(assembled(manifest, chunks(manifest, "4567", "0123", "89"))).isNull();
        Map<String, EncodedValue> incomplete = chunks(manifest, "0123", "4567", "89");
        incomplete.remove(manifest.chunkKeys().get(1));
        assertThat(assembled(manifest, incomplete)).isNull();
        assertThat(assembled(manifest, chunks(Manifest.of(VALUE, 4), "0123", "4567", "89")))
                .as("chunks of another write of the same value")
                .isNull();
    }

    @Test
    void chunkKeysAreValidAndUnique() {
        Manifest manifest = Manifest.of(new EncodedValue(new byte[Manifest.MAX_CHUNKS], 0), 1);
        assertThat(manifest.chunkKeys()).hasSize(Manifest.MAX_CHUNKS).doesNotHaveDuplicates();
        manifest.chunkKeys().forEach(KeyRule::checkLength);
    }

    @ParameterizedTest
    @CsvSource({
        "10000000, 1000000, 3",
        "10000001, 1000000, 4",
        "10000000, 4194304, 1",
        "10000000, 4194305, 1",
        "9000, 9, 16"
    })
    void batchesAreAllChunksInOrderWithinTheLimit(int length, int chunkBytes, int size) {
        Manifest manifest = Manifest.of(new EncodedValue(new byte[length], 0), chunkBytes);
        List<List<String>> batches = manifest.batches();
        assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(manifest.chunkKeys());
        assertThat(batches.get(0)).hasSize(size);
        assertThat(batches).allSatisfy(batch -> assertThat(batch).hasSizeBetween(1, size));
    }

    @Test
    void readingEndsWhenAChunkIsMissing() {
        Manifest manifest = Manifest.of(new EncodedValue(new byte[10_000_000], 0), 1_000_000);
        List<List<String>> read = new ArrayList<>();
        assertThat(manifest.assemble(batch -> {
                    read.add(batch);
                    return Map.of();
                }))
                .isNull();
        assertThat(read).containsExactly(manifest.batches().get(0));
    }

    @Test
    void hostileManifestsHaveBatchesButNoValue() {
        UUID generation = UUID.randomUUID();
        for (Manifest hostile : List.of(
                new Manifest(generation, 1, 0, 0, 0),
                new Manifest(generation, 2, 0, 1, 0),
                new Manifest(generation, Manifest.MAX_CHUNKS, 1, 0, 0),
                new Manifest(generation, 1, 1_000_000, 0, 0))) {
            assertThat(hostile.batches().stream().flatMap(List::stream)).containsExactlyElementsOf(hostile.chunkKeys());
            assertThat(assembled(hostile, Map.of())).isNull();
        }
    }

    private static long allocatedBytes(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        work.run();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Somebody who can write 40 bytes must not make each reader allocate 50 MB. */
    @Test
    void aForgedManifestTakesMemoryOnlyForTheChunksThatCome() {
        Manifest forged = new Manifest(UUID.randomUUID(), Manifest.MAX_CHUNKS, 50_000_000, 0, 0);
        assertThat(allocatedBytes(() -> assertThat(assembled(forged, Map.of())).isNull()))
                .isLessThan(1 << 20);
        Map<String, EncodedValue> some = new HashMap<>();
        byte[] chunk = new byte[50_000];
        forged.chunkKeys().subList(0, 40).forEach(key -> some.put(key, new EncodedValue(chunk, 0)));
        assertThat(allocatedBytes(() -> assertThat(assembled(forged, some)).isNull()))
                .isLessThan((1 << 20) + 10L * 40 * chunk.length);
    }

    private static void assertUnreadable(EncodedValue item, String words) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> Manifest.parse(item, 1_000_000))
                .withMessageContaining(words)
                .withMessageContaining("0x40000000");
    }

    @Test
    void hostileManifestsAreRejected() {
        byte[] data = Manifest.of(VALUE, 4).toItem().data();
        assertUnreadable(new EncodedValue(new byte[0], Manifest.FLAGS), "not a manifest");
        assertUnreadable(new EncodedValue(new byte[Manifest.BYTES], Manifest.FLAGS), "not a manifest");
        assertUnreadable(new EncodedValue(Arrays.copyOf(data, Manifest.BYTES + 1), Manifest.FLAGS), "not a manifest");
        UUID generation = UUID.randomUUID();
        assertUnreadable(new Manifest(generation, 0, 10, 0, 0).toItem(), "has 0 chunks");
        assertUnreadable(new Manifest(generation, Manifest.MAX_CHUNKS + 1, 10, 0, 0).toItem(), "has 1025 chunks");
        assertUnreadable(new Manifest(generation, -1, 10, 0, 0).toItem(), "has 4294967295 chunks");
        assertUnreadable(new Manifest(generation, 2, 1_000_001, 0, 0).toItem(), "maxBytes=1000000");
        assertUnreadable(new Manifest(generation, 2, -1, 0, 0).toItem(), "maxBytes=1000000");
    }
}
