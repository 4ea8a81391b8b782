// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

/**
 * Settings of a {@link ChunkedClient}: sizes of chunks, values and server items.
 *
 * <p>Threading: immutable.
 *
 * @param chunkBytes maximum bytes of an encoded item to write, without key and header: at least 40, at most {@code
 *     serverMaxItemBytes} minus {@value #ITEM_OVERHEAD_BYTES}, and at most the {@code maxValueBytes} of the client
 * @param maxBytes maximum bytes of an encoded value to write or read: at least {@code chunkBytes}, at most 1024 chunks
 * @param serverMaxItemBytes maximum bytes of an item on the servers, with key and header, from 1,024 to 2^30:
 *     memcached's option {@code -I}, shown by {@code stats settings} as {@code item_size_max}
 */
public record ChunkOptions(int chunkBytes, int maxBytes, int serverMaxItemBytes) {

    /**
     * Bytes by which a value must be smaller than the server's limit, so that its item fits. The longest key, the
     * header and the cas unique take up to 349 bytes.
     */
    public static final int ITEM_OVERHEAD_BYTES = 350;

    /** Chunks of 1,000,000 bytes, values up to 50,000,000 bytes, and servers with memcached's default of 1 MiB. */
    public static final ChunkOptions DEFAULTS = new ChunkOptions(1_000_000, 50_000_000, 1 << 20);

    private static final int MIN_ITEM_SIZE_MAX = 1 << 10;
    private static final int MAX_ITEM_SIZE_MAX = 1 << 30;

    /** Checks each number alone; {@link ChunkedClient#over} checks the combination. */
    public ChunkOptions {
        if (chunkBytes < Manifest.BYTES) {
            throw new IllegalArgumentException(
                    "chunkBytes is " + chunkBytes + ", but must be at least " + Manifest.BYTES + " (manifest size)");
        }
        if (serverMaxItemBytes < MIN_ITEM_SIZE_MAX || serverMaxItemBytes > MAX_ITEM_SIZE_MAX) {
            throw new IllegalArgumentException("serverMaxItemBytes is " + serverMaxItemBytes + ", but must be "
                    + MIN_ITEM_SIZE_MAX + " to " + MAX_ITEM_SIZE_MAX + ", like memcached's -I");
        }
    }

    /** Returns a copy with another {@link #chunkBytes()}. */
    public ChunkOptions withChunkBytes(int bytes) {
        return new ChunkOptions(bytes, maxBytes, serverMaxItemBytes);
    }

    /** Returns a copy with another {@link #maxBytes()}. */
    public ChunkOptions withMaxBytes(int bytes) {
        return new ChunkOptions(chunkBytes, bytes, serverMaxItemBytes);
    }

    /** Returns a copy with another {@link #serverMaxItemBytes()}. */
    public ChunkOptions withServerMaxItemBytes(int bytes) {
        return new ChunkOptions(chunkBytes, maxBytes, bytes);
    }

    /**
     * Checks the combination of the numbers. The constructor does not, so that the {@code with} methods work in any
     * order.
     */
    void check() {
        int most = serverMaxItemBytes - ITEM_OVERHEAD_BYTES;
        if (chunkBytes > most) {
            throw new IllegalArgumentException("chunkBytes is " + chunkBytes + ", but must be at most " + most
                    + ", because an item with key and header must fit into serverMaxItemBytes=" + serverMaxItemBytes
                    + "; reduce chunkBytes, or set serverMaxItemBytes to the servers' item_size_max (memcached -I)");
        }
        if (maxBytes < chunkBytes || maxBytes > (long) chunkBytes * Manifest.MAX_CHUNKS) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ", but must be between chunkBytes="
                    + chunkBytes + " and " + (long) chunkBytes * Manifest.MAX_CHUNKS);
        }
    }
}
