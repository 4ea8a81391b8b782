// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.util.Objects;

/**
 * How values are compressed; to be put {@link #around} a transcoder.
 *
 * <p>A value above the threshold is compressed, and stored compressed if that makes it smaller. One bit of the item's
 * flags marks it. Values without that bit are read as they are, so compression can be switched on when there are items
 * already.
 *
 * <p>Threading: immutable.
 */
public final class Compression {

    /** The default threshold, as in spymemcached and XMemcached: larger values are compressed. */
    public static final int DEFAULT_THRESHOLD_BYTES = 16 * 1024;

    /**
     * The most that a value has before compression unless {@link #maxBytes} is set: 20 MiB, as in spymemcached. Above
     * 512 KiB it also has at most ten times its compressed bytes, so that few bytes cannot become many.
     */
    public static final int DEFAULT_MAX_BYTES = 20 * 1024 * 1024;

    private static final int ANY_RATIO_BYTES = 512 * 1024;
    private static final int MAX_RATIO = 10;

    /** The {@code maxBytes} that nobody has set. */
    private static final int UNSET = 0;

    /** The flag of gzip in every older client on the JVM. */
    static final int COMPRESSED = 2;

    /** Not a flag of an older client: those end at bit 15. */
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

    Codec codec() {
        return codec;
    }

    /** gzip, flag 2. */
    public static Compression gzip() {
        return by(Codec.GZIP, COMPRESSED);
    }

    /** zlib, flag 2: what XMemcached writes in {@code CompressionMode.ZIP}. */
    public static Compression zlib() {
        return by(Codec.ZLIB, COMPRESSED);
    }

    /**
     * Zstandard, flag 65536; needs {@code com.github.luben:zstd-jni} on the class path.
     *
     * @throws IllegalStateException if that is missing, or has no native library for this machine
     */
    public static Compression zstd() {
        try {
            return by(new ZstdCodec(), ZSTD_COMPRESSED);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "Compression.zstd needs zstd-jni with its native library: add com.github.luben:zstd-jni", e);
        }
    }

    /**
     * The same under another flag.
     *
     * @param bit a single bit that the wrapped transcoder does not use
     */
    public Compression flag(int bit) {
        if (Integer.bitCount(bit) != 1) {
            throw new IllegalArgumentException(
                    "flag is 0x" + Integer.toHexString(bit) + ": it is one bit, such as 0x2 or 0x10000");
        }
        return new Compression(codec, bit, thresholdBytes, maxBytes);
    }

    /**
     * The same with another threshold.
     *
     * @param bytes the largest value, encoded, that is not compressed
     */
    public Compression thresholdBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("thresholdBytes is " + bytes + ": it is at least 0");
        }
        return new Compression(codec, flag, bytes, maxBytes);
    }

    /**
     * The same with another limit, which holds for a value of any compressed size. Set it to read or write values that
     * become less than a tenth of more than 512 KiB. Without it, such a value is stored as it is up to 1 MiB, and
     * refused above.
     *
     * @param bytes the largest value before compression; a larger one is neither compressed nor decompressed
     */
    public Compression maxBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytes is " + bytes + ": it is at least 1");
        }
        return new Compression(codec, flag, thresholdBytes, bytes);
    }

    /** The largest value before compression that has {@code compressedBytes} after it. */
    private int limit(int compressedBytes) {
        return maxBytes != UNSET
                ? maxBytes
                : (int) Math.min(DEFAULT_MAX_BYTES, Math.max(ANY_RATIO_BYTES, (long) MAX_RATIO * compressedBytes));
    }

    /**
     * A transcoder that compresses the values of {@code transcoder}.
     *
     * <p>Failure: a transcoder that marks values by the same bit is refused here, as far as it tells, else by {@code
     * encode}. {@code encode} throws {@link MemcachedValueTooLargeException} above {@link #maxBytes}. {@code decode}
     * throws {@link MemcachedDecodingException} for a value that is damaged or would become larger than that.
     */
    public <V> Transcoder<V> around(Transcoder<V> transcoder) {
        Objects.requireNonNull(transcoder, "transcoder");
        if ((UsedFlags.of(transcoder) & flag) != 0) {
            throw new IllegalArgumentException("the transcoder uses flag 0x" + Integer.toHexString(flag)
                    + " itself, as one does that compresses already: use it without Compression, give it another by"
                    + " CompatibleTranscoder.compression, or set Compression.flag to another bit");
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
                        + ", which have the bit that marks compression: set Compression.flag to another");
            }
            int length = plain.data().length;
            if (length <= thresholdBytes) {
                return plain;
            }
            // Before the work: more than this is too much in any case.
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
                                + (compressedLength < length ? " for " + compressedLength + " bytes after it" : "")
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
            byte[] plain;
            try {
                plain = codec.decompress(data, limit(data.length));
            } catch (UnreadableValueException e) {
                throw new MemcachedDecodingException(String.valueOf(e.getMessage()), flags, e.getCause());
            }
            return transcoder.decode(plain, flags & ~flag);
        }
    }
}
