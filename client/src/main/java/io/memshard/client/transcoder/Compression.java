// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.util.Objects;

/**
 * Compression of values, which {@link #around} adds to a transcoder.
 *
 * <p>A value above the threshold is stored compressed if compression makes the value smaller. One bit of the item's
 * flags marks a compressed value. Values without the bit are read unchanged, so that compression can be enabled while
 * items exist.
 *
 * <p>Threading: immutable.
 */
public final class Compression {

    /** Default threshold in bytes, as in spymemcached and XMemcached. Larger values are compressed. */
    public static final int DEFAULT_THRESHOLD_BYTES = 16 * 1024;

    /**
     * Default maximum size of a value before compression: 20 MiB, the same as in spymemcached. A value above 512 KiB
     * must also be at most ten times its compressed size, so that a small item cannot expand to a huge value. If its
     * ratio is higher, a value of up to 1 MiB is stored uncompressed, and {@code encode} rejects a larger value.
     */
    public static final int DEFAULT_MAX_BYTES = 20 * 1024 * 1024;

    private static final int ANY_RATIO_BYTES = 512 * 1024;
    private static final int MAX_RATIO = 10;
    private static final int UNSET = 0;

    /** Flag of gzip in every older client on the JVM. */
    static final int COMPRESSED = 2;

    /** Flag of zstd. Older clients use only the bits 0 to 15. */
    static final int ZSTD_COMPRESSED = 1 << 16;

    private final Codec codec;
    private final int flag;
    private final int thresholdBytes;
    private final int maxBytes;

    private Compression(Codec codec, int flag, int thresholdBytes, int maxBytes) {
        this.codec = codec;
        this.flag = flag;
        this.thresholdBytes = thresholdBytes;
        this.maxBytes = maxBytes;
    }

    private static Compression by(Codec codec, int flag) {
        return new Compression(codec, flag, DEFAULT_THRESHOLD_BYTES, UNSET);
    }

    /** Returns gzip compression, with flag 2. */
    public static Compression gzip() {
        return by(Codec.GZIP, COMPRESSED);
    }

    /** Returns zlib compression, with flag 2, which XMemcached writes in {@code CompressionMode.ZIP}. */
    public static Compression zlib() {
        return by(Codec.ZLIB, COMPRESSED);
    }

    /**
     * Returns Zstandard compression, with flag 65536. Requires {@code com.github.luben:zstd-jni} on the class path.
     *
     * @throws IllegalStateException if the library is missing, or has no native code for this machine
     */
    public static Compression zstd() {
        try {
            return by(new ZstdCodec(), ZSTD_COMPRESSED);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "Compression.zstd needs zstd-jni with a native library for this machine: add"
                            + " com.github.luben:zstd-jni",
                    e);
        }
    }

    /**
     * Returns a copy with another flag.
     *
     * @param bit a single bit that the wrapped transcoder does not use
     */
    public Compression flag(int bit) {
        if (Integer.bitCount(bit) != 1) {
            throw new IllegalArgumentException(
                    "flag is 0x" + Integer.toHexString(bit) + ", but must be one bit, such as 0x2 or 0x10000");
        }
        return new Compression(codec, bit, thresholdBytes, maxBytes);
    }

    /**
     * Returns a copy with another threshold.
     *
     * @param bytes size of the largest encoded value that is not compressed, in bytes
     */
    public Compression thresholdBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("thresholdBytes is " + bytes + ", but must be at least 0");
        }
        return new Compression(codec, flag, bytes, maxBytes);
    }

    /**
     * Returns a copy with another size limit. A limit set by this method replaces both default limits: the maximum
     * size, and the ratio to the compressed size.
     *
     * @param bytes size of the largest value before compression, in bytes; encoding and decoding of a larger value fail
     */
    public Compression maxBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytes is " + bytes + ", but must be at least 1");
        }
        return new Compression(codec, flag, thresholdBytes, bytes);
    }

    private int limit(int compressedBytes) {
        return maxBytes != UNSET
                ? maxBytes
                : (int) Math.min(DEFAULT_MAX_BYTES, Math.max(ANY_RATIO_BYTES, (long) MAX_RATIO * compressedBytes));
    }

    /**
     * Returns a transcoder that compresses the values of {@code transcoder}.
     *
     * <p>Failure: if {@code transcoder} uses the bit of this compression, this method or {@code encode} throws an
     * {@link IllegalArgumentException}. {@code encode} throws a {@link MemcachedValueTooLargeException} for a value
     * above {@link #maxBytes}. {@code decode} throws a {@link MemcachedDecodingException} for a damaged value, and for
     * a value that would exceed {@link #maxBytes}.
     */
    public <V> Transcoder<V> around(Transcoder<V> transcoder) {
        Objects.requireNonNull(transcoder, "transcoder is null");
        if ((UsedFlags.of(transcoder) & flag) != 0) {
            throw new IllegalArgumentException("the transcoder uses flag 0x" + Integer.toHexString(flag)
                    + " itself, perhaps to mark compressed values: use the transcoder without Compression, call"
                    + " CompatibleTranscoder.compression instead, or set Compression.flag to another bit");
        }
        return new Compressed<>(transcoder);
    }

    private final class Compressed<V> implements Transcoder<V>, UsedFlags {

        private final Transcoder<V> transcoder;

        Compressed(Transcoder<V> transcoder) {
            this.transcoder = transcoder;
        }

        @Override
        public int usedFlags() {
            return flag | UsedFlags.of(transcoder);
        }

        @Override
        public EncodedValue encode(V value) {
            EncodedValue plain = transcoder.encode(value);
            int flags = plain.flags();
            if ((flags & flag) != 0) {
                throw new IllegalArgumentException("the transcoder wrote flags 0x" + Integer.toHexString(flags)
                        + ", which have the bit that marks compression: set Compression.flag to another bit");
            }
            int length = plain.data().length;
            if (length <= thresholdBytes) {
                return plain;
            }
            // No compression ratio permits a greater length.
            checkLength(length, length);
            byte[] compressed = codec.compress(plain.data());
            if (compressed.length >= length || (length <= 2 * ANY_RATIO_BYTES && length > limit(compressed.length))) {
                return plain;
            }
            checkLength(length, compressed.length);
            return new EncodedValue(compressed, flags | flag);
        }

        private void checkLength(int length, int compressedLength) {
            int limit = limit(compressedLength);
            if (length > limit) {
                throw new MemcachedValueTooLargeException(
                        "the value has " + length + " bytes before compression, above the limit Compression.maxBytes="
                                + limit
                                + (compressedLength < length ? " for " + compressedLength + " compressed bytes" : "")
                                + "; the value was not sent",
                        null,
                        null);
            }
        }

        @Override
        public V decode(byte[] data, int flags) {
            if ((flags & flag) == 0) {
                return transcoder.decode(data, flags);
            }
            return transcoder.decode(codec.decompress(data, flags, limit(data.length)), flags & ~flag);
        }
    }
}
