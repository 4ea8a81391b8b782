// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.chunked;

/** Maximum sizes of the chunks and values of a {@link ChunkedClient}. */
record ChunkOptions(int chunkBytes, int maxBytes) {

    ChunkOptions {
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
