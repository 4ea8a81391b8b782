// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Item under the key of a split value. Its 40 bytes are big-endian: the fields in the order of {@link #toItem}, then 4
 * zero bytes. The {@code generation} is random, so that chunks of two writers never mix.
 */
record Manifest(UUID generation, int count, int length, int crc, int flags) {

    static final int FLAGS = 1 << 30;
    static final int MAX_CHUNKS = 1024;

    /** Maximum bytes of chunks in flight: enough to keep a connection busy. */
    static final int MAX_BYTES_IN_FLIGHT = 4 << 20;

    /** Maximum number of chunks in flight, because chunks may be longer than a forged manifest states. */
    static final int MAX_CHUNKS_IN_FLIGHT = 16;

    /** Maximum ratio of allocated to received bytes, so that a forged length cannot allocate much memory. */
    private static final int CAPACITY_PER_BYTE = 4;

    private static final int MAGIC = 0x4d_53_43_31;
    static final int BYTES = 40;

    static Manifest of(EncodedValue value, int chunkBytes) {
        int length = value.data().length;
        int count = (length - 1) / chunkBytes + 1;
        return new Manifest(UUID.randomUUID(), count, length, crc(value.data()), value.flags());
    }

    static boolean isOne(EncodedValue item) {
        return item.flags() == FLAGS;
    }

    static Manifest parse(EncodedValue item, int maxBytes) {
        ByteBuffer in = ByteBuffer.wrap(item.data());
        if (in.remaining() != BYTES || in.getInt() != MAGIC) {
            throw unreadable(
                    "the flags say that the value is split into chunks, but the value is not a manifest of chunks");
        }
        Manifest manifest =
                new Manifest(new UUID(in.getLong(), in.getLong()), in.getInt(), in.getInt(), in.getInt(), in.getInt());
        if (manifest.length < 0 || manifest.length > maxBytes) {
            throw unreadable("the value in chunks has " + Integer.toUnsignedString(manifest.length)
                    + " bytes, above the limit maxBytes=" + maxBytes);
        }
        if (manifest.count < 1 || manifest.count > MAX_CHUNKS) {
            throw unreadable("the value has " + Integer.toUnsignedString(manifest.count)
                    + " chunks, but must have 1 to " + MAX_CHUNKS);
        }
        return manifest;
    }

    private static MemcachedDecodingException unreadable(String what) {
        return new MemcachedDecodingException(what, FLAGS, null);
    }

    EncodedValue toItem() {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putLong(generation.getMostSignificantBits())
                .putLong(generation.getLeastSignificantBits())
                .putInt(count)
                .putInt(length)
                .putInt(crc)
                .putInt(flags);
        return new EncodedValue(out.array(), FLAGS);
    }

    /** Returns the chunks' keys, without the value's key, which may have the maximum length. */
    List<String> chunkKeys() {
        return IntStream.range(0, count)
                .mapToObj(i -> "memshard:chunk:" + generation + ':' + i)
                .toList();
    }

    List<List<String>> batches() {
        // An upper bound: all chunks but the last have this length, and together they are shorter than the value.
        int chunkBytes = count == 1 ? length : (length - 1) / (count - 1);
        int size = Math.min(MAX_CHUNKS_IN_FLIGHT, Math.max(1, MAX_BYTES_IN_FLIGHT / Math.max(1, chunkBytes)));
        List<String> keys = chunkKeys();
        return IntStream.iterate(0, from -> from < count, from -> from + size)
                .mapToObj(from -> keys.subList(from, Math.min(count, from + size)))
                .toList();
    }

    /** Returns the assembled value; null if a chunk is missing or was changed. */
    @Nullable
    EncodedValue assemble(Function<List<String>, Map<String, EncodedValue>> read) {
        byte[] data = new byte[0];
        int filled = 0;
        for (List<String> batch : batches()) {
            Map<String, EncodedValue> chunks = read.apply(batch);
            for (String key : batch) {
                EncodedValue chunk = chunks.get(key);
                if (chunk == null || chunk.data().length > length - filled) {
                    return null;
                }
                int from = filled;
                filled += chunk.data().length;
                if (filled > data.length) {
                    data = Arrays.copyOf(data, (int) Math.min(length, (long) filled * CAPACITY_PER_BYTE));
                }
                System.arraycopy(chunk.data(), 0, data, from, chunk.data().length);
            }
        }
        return filled == length && crc(data) == crc ? new EncodedValue(data, flags) : null;
    }

    private static int crc(byte[] data) {
        CRC32C crc = new CRC32C();
        crc.update(data);
        return (int) crc.getValue();
    }
}
