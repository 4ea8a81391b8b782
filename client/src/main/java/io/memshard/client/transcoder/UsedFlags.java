// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;

interface UsedFlags {

    /** Lowest flag that only Java clients use. Clients of other languages use lower flags. */
    int FIRST_OF_JAVA = 128;

    int NO_VALUE = 1 << 29;

    int usedFlags();

    static int of(Transcoder<?> transcoder) {
        return transcoder instanceof UsedFlags known ? known.usedFlags() : 0;
    }

    static MemcachedDecodingException notWritten(String transcoder, int flags) {
        String reader = reader(flags);
        if (flags > 0 && flags < FIRST_OF_JAVA) {
            reader = "if a Java client wrote it, " + reader
                    + "; if a client in another language wrote it, Transcoder.bytes() reads it";
        }
        return new MemcachedDecodingException(
                "the value has flags that " + transcoder + " does not write: " + reader, flags, null);
    }

    private static String reader(int flags) {
        if (flags == 1 << 30) {
            return "it is split into chunks, and ChunkedClient reads it";
        }
        if (flags == NO_VALUE) {
            return "it is an empty Optional, and Transcoder.optional() reads it";
        }
        if ((flags & Compression.ZSTD_COMPRESSED) != 0) {
            return "it is compressed, and Compression.zstd().around(...) reads it";
        }
        if (flags == Compression.COMPRESSED) {
            return "it is compressed, and CompatibleTranscoder.spymemcached() or Compression.gzip().around(...) reads"
                    + " it";
        }
        int plain = flags & ~Compression.COMPRESSED;
        boolean isSpymemcached = FlagTable.SERIALIZING.knows(plain);
        boolean isWhalin = FlagTable.WHALIN.knows(plain);
        if (isSpymemcached || isWhalin) {
            return "CompatibleTranscoder." + (isSpymemcached ? "spymemcached()" : "whalin()")
                    + (isSpymemcached && isWhalin ? " or whalin()" : "") + " reads it";
        }
        return "the transcoder that wrote it reads it, and Transcoder.bytes() reads any value";
    }
}
