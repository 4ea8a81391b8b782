// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

/**
 * Settings of a {@link ChunkedClient}: sizes of chunks and values.
 *
 * <p>Threading: immutable.
 *
 * @param chunkBytes maximum bytes of an encoded item to write, without key and header: at least 40, and at most the
 *     {@code maxValueBytes} of the client. The servers must accept an item of this size with up to 350 bytes of key and
 *     header: with memcached's default limit of 1 MiB, at most 1,048,226
 * @param maxBytes maximum bytes of an encoded value to write or read: at least {@code chunkBytes}, at most 1024 chunks
 */
public record ChunkOptions(int chunkBytes, int maxBytes) {

    /** Chunks of 1,000,000 bytes, and values up to 50,000,000 bytes. */
    public static final ChunkOptions DEFAULTS = new ChunkOptions(1_000_000, 50_000_000);

    /** Checks the sizes. */
    public ChunkOptions {
        if (chunkBytes < Manifest.BYTES) {
            throw new IllegalArgumentException("chunkBytes is " + chunkBytes + ", but must be at least "
                    + Manifest.BYTES + ", the size of a manifest");
        }
        if (maxBytes < chunkBytes || maxBytes > (long) chunkBytes * Manifest.MAX_CHUNKS) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ", but must be between chunkBytes="
                    + chunkBytes + " and " + (long) chunkBytes * Manifest.MAX_CHUNKS);
        }
    }
}
