// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

/**
 * Maximum sizes of the chunks and values of a {@link ChunkedClient}.
 *
 * <p>Threading: immutable.
 *
 * @param chunkBytes maximum size of the value of one item, in bytes: at least 40, and at most the {@code maxValueBytes}
 *     of the client. The servers must accept an item of this size plus up to 350 bytes for key and header. With
 *     memcached's default item size limit of 1 MiB, {@code chunkBytes} may be at most 1,048,226
 * @param maxBytes maximum size of a whole encoded value, in bytes: at least {@code chunkBytes}, and at most 1024 times
 *     {@code chunkBytes}
 */
public record ChunkOptions(int chunkBytes, int maxBytes) {

    /** Default settings: chunks of up to 1,000,000 bytes, and values of up to 50,000,000 bytes. */
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
