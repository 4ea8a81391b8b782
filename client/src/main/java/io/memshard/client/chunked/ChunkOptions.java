// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

/**
 * How a {@link ChunkedClient} splits values.
 *
 * <p>An item is more than its value. A header has 48 bytes, a cas unique 8, a key with its end 251, and the end of the
 * line 2. Flags have 4; older servers keep them and the length as text, in 40 at most. That makes 349, so a value that
 * fits under each key is {@link #ITEM_OVERHEAD_BYTES} below the server's limit. Source: {@code item_make_header} in
 * memcached's items.c. Measured with memcached 1.6.18 under default settings: the largest value for a key of 250 bytes
 * has 1,048,263 bytes, 313 below the limit.
 *
 * <p>Threading: immutable.
 *
 * @param chunkBytes the largest item that is written, encoded, without key and header: at least 40, and at most {@code
 *     serverMaxItemBytes} less {@value #ITEM_OVERHEAD_BYTES}. Not above the {@code maxValueBytes} of the client either
 * @param maxBytes the largest value, encoded, to write or to read: at least {@code chunkBytes}, at most 1024 chunks
 * @param serverMaxItemBytes the largest item that the servers take, with key and header, 1,024 to 2^30: memcached's
 *     option {@code -I}, which {@code stats settings} shows as {@code item_size_max}
 */
public record ChunkOptions(int chunkBytes, int maxBytes, int serverMaxItemBytes) {

    /** How far a value is below the server's limit, so that its item fits: 350 bytes. */
    public static final int ITEM_OVERHEAD_BYTES = 350;

    /** Chunks of 1,000,000 bytes, values up to 50,000,000 bytes, and servers with memcached's default of 1 MiB. */
    public static final ChunkOptions DEFAULTS = new ChunkOptions(1_000_000, 50_000_000, 1 << 20);

    private static final int LEAST_ITEM_SIZE_MAX = 1 << 10;
    private static final int MOST_ITEM_SIZE_MAX = 1 << 30;

    /** Checks each number; {@link ChunkedClient#over} checks that they fit together. */
    public ChunkOptions {
        if (chunkBytes < Manifest.BYTES) {
            throw new IllegalArgumentException(
                    "chunkBytes is " + chunkBytes + ": it is at least " + Manifest.BYTES + ", the size of a manifest");
        }
        if (serverMaxItemBytes < LEAST_ITEM_SIZE_MAX || serverMaxItemBytes > MOST_ITEM_SIZE_MAX) {
            throw new IllegalArgumentException("serverMaxItemBytes is " + serverMaxItemBytes + ": it is "
                    + LEAST_ITEM_SIZE_MAX + " to " + MOST_ITEM_SIZE_MAX + ", as memcached's -I");
        }
    }

    /** With another {@link #chunkBytes()}. */
    public ChunkOptions withChunkBytes(int bytes) {
        return new ChunkOptions(bytes, maxBytes, serverMaxItemBytes);
    }

    /** With another {@link #maxBytes()}. */
    public ChunkOptions withMaxBytes(int bytes) {
        return new ChunkOptions(chunkBytes, bytes, serverMaxItemBytes);
    }

    /** With another {@link #serverMaxItemBytes()}. */
    public ChunkOptions withServerMaxItemBytes(int bytes) {
        return new ChunkOptions(chunkBytes, maxBytes, bytes);
    }

    /** Refuses numbers that do not fit together; not the constructor, so that {@code with} may come in any order. */
    void check() {
        int most = serverMaxItemBytes - ITEM_OVERHEAD_BYTES;
        if (chunkBytes > most) {
            throw new IllegalArgumentException("chunkBytes is " + chunkBytes + ": it is at most " + most
                    + ", because an item with key and header fits into serverMaxItemBytes=" + serverMaxItemBytes
                    + "; set a smaller one, or set serverMaxItemBytes to the servers' item_size_max (memcached -I)");
        }
        if (maxBytes < chunkBytes || maxBytes > (long) chunkBytes * Manifest.MAX_CHUNKS) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ": it is between chunkBytes=" + chunkBytes
                    + " and " + Manifest.MAX_CHUNKS + " chunks of that");
        }
    }
}
