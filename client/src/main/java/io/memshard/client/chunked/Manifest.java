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
 * The item under the key of a split value: where its chunks are, and what they must add up to.
 *
 * <p>40 bytes, big-endian: {@link #MAGIC}, generation (16), count, length, CRC-32C, flags.
 *
 * @param generation random for each write, and part of the chunks' keys, so that the chunks of two writers
 *     never mix
 * @param count how many chunks there are
 * @param length the bytes of the value, encoded
 * @param crc the CRC-32C of those bytes
 * @param flags the value's client flags
 */
record Manifest(UUID generation, int count, int length, int crc, int flags) {

    /** The client flags of a manifest. */
    static final int FLAGS = 1 << 30;

    /** The most chunks of a value. More are neither written nor accepted. */
    static final int MAX_CHUNKS = 1024;

    /**
     * How many bytes of chunks travel at a time, unless a chunk is longer. They keep a connection busy, and are few
     * compared with the memory that the value takes anyway.
     */
    static final int MAX_BYTES_IN_FLIGHT = 4 << 20;

    /**
     * How many chunks travel at a time at most. A manifest that somebody has forged may say that they are short, and
     * each may be as long as an item can be.
     */
    static final int MAX_CHUNKS_IN_FLIGHT = 16;

    /** How much room is made for each byte that has come. So a manifest alone takes no memory, whatever it says. */
    private static final int ROOM_FOR_EACH_BYTE = 4;

    private static final int MAGIC = 0x4d_53_43_31;
    static final int BYTES = 40;

    /** A new manifest for {@code value}. */
    static Manifest of(EncodedValue value, int chunkBytes) {
        int length = value.data().length;
        int count = (length - 1) / chunkBytes + 1;
        return new Manifest(UUID.randomUUID(), count, length, crc(value.data()), value.flags());
    }

    static boolean isOne(EncodedValue item) {
        return item.flags() == FLAGS;
    }

    /**
     * The manifest in {@code item}.
     *
     * @param maxBytes the longest value that is accepted
     */
    static Manifest parse(EncodedValue item, int maxBytes) {
        ByteBuffer in = ByteBuffer.wrap(item.data());
        if (in.remaining() != BYTES || in.getInt() != MAGIC) {
            throw unreadable("the value is flagged as split over chunks but is not a manifest of chunks");
        }
        Manifest manifest =
                new Manifest(new UUID(in.getLong(), in.getLong()), in.getInt(), in.getInt(), in.getInt(), in.getInt());
        if (manifest.length < 0 || manifest.length > maxBytes) {
            throw unreadable("the value of " + Integer.toUnsignedString(manifest.length)
                    + " bytes in chunks is above the limit maxBytes=" + maxBytes);
        }
        if (manifest.count < 1 || manifest.count > MAX_CHUNKS) {
            throw unreadable("the value has " + Integer.toUnsignedString(manifest.count) + " chunks instead of 1 to "
                    + MAX_CHUNKS);
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

    /** The keys of the chunks, in order. They leave out the value's key, which may be as long as a key can be. */
    List<String> chunkKeys() {
        return IntStream.range(0, count)
                .mapToObj(i -> "memshard:chunk:" + generation + ':' + i)
                .toList();
    }

    /** The keys of the chunks, in order, in batches of those that travel together. */
    List<List<String>> batches() {
        // An upper bound: all chunks but the last have the same length, and together they are shorter than the value.
        int chunkBytes = count == 1 ? length : (length - 1) / (count - 1);
        int size = Math.min(MAX_CHUNKS_IN_FLIGHT, Math.max(1, MAX_BYTES_IN_FLIGHT / Math.max(1, chunkBytes)));
        List<String> keys = chunkKeys();
        return IntStream.iterate(0, from -> from < count, from -> from + size)
                .mapToObj(from -> keys.subList(from, Math.min(count, from + size)))
                .toList();
    }

    /**
     * The value that the chunks add up to; null if a chunk is missing or is not the one that was written.
     *
     * @param read returns the chunks of a batch that exist; called for one batch after the other until a chunk is
     *     missing
     */
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
                    data = Arrays.copyOf(data, (int) Math.min(length, (long) filled * ROOM_FOR_EACH_BYTE));
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
