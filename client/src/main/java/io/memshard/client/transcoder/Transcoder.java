// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.nio.charset.StandardCharsets;

/**
 * Turns values into bytes and flags, and back. The package {@code io.memshard.client.transcoder} has transcoders that
 * compress, and that read and write what other clients do.
 *
 * <p>Threading: must be safe for use by many threads at once. A blocking call encodes and decodes on the calling
 * thread, with that thread's context class loader. An asynchronous call decodes on the thread that completes the
 * future.
 *
 * <p>Failure: what {@code encode} throws is thrown to the caller, and nothing is sent. What {@code decode} throws
 * reaches the caller as a {@link io.memshard.client.exception.MemcachedDecodingException}. That includes a lack of
 * stack or memory, and no other {@code Error}. The connection is not affected.
 */
public interface Transcoder<V> {

    /** The bytes and flags to store for {@code value}. */
    EncodedValue encode(V value);

    /**
     * The value stored as {@code data} under {@code flags}.
     *
     * @param data exactly the item's bytes, not copied: the transcoder may keep it
     */
    V decode(byte[] data, int flags);

    /**
     * Fails if there are flags, for a transcoder that writes none. Such a value was written by another one, such as
     * one that compresses, and would be taken for what it is not.
     *
     * @param transcoder which one it is, for the message; the message also says which one reads the value
     */
    static void checkNoFlags(String transcoder, int flags) {
        if (flags != 0) {
            throw UsedFlags.notWritten(transcoder, flags);
        }
    }

    /**
     * Bytes as they are, flags 0. Arrays are not copied. Reading takes any flags, so it also gives the bytes of a
     * compressed value as they are stored.
     */
    static Transcoder<byte[]> bytes() {
        return BytesTranscoder.INSTANCE;
    }

    /**
     * Strings in UTF-8, flags 0: what spymemcached and XMemcached write for strings of up to 16 KiB. They compress
     * longer strings, and mark them in the flags, as they mark other types. This transcoder refuses flags. To read what
     * those clients write, use {@link io.memshard.client.transcoder.CompatibleTranscoder}. Writing refuses a string
     * with half a surrogate pair, reading refuses bytes that are not UTF-8.
     */
    static Transcoder<String> utf8() {
        return Utf8Transcoder.INSTANCE;
    }

    /**
     * Unsigned 64-bit decimals, flags 0, as {@code incr} and {@code decr} store them. A negative {@code long} stands
     * for the number 2^64 above it.
     */
    static Transcoder<Long> counter() {
        return CounterTranscoder.INSTANCE;
    }

    /** Bytes and flags as they are stored, for programs that encode and decode elsewhere. */
    static Transcoder<EncodedValue> asStored() {
        return AsStoredTranscoder.INSTANCE;
    }
}

enum BytesTranscoder implements Transcoder<byte[]> {
    INSTANCE;

    @Override
    public EncodedValue encode(byte[] value) {
        return new EncodedValue(value, 0);
    }

    @Override
    public byte[] decode(byte[] data, int flags) {
        return data;
    }
}

enum Utf8Transcoder implements Transcoder<String> {
    INSTANCE;

    @Override
    public EncodedValue encode(String value) {
        return new EncodedValue(Utf8.encode(value), 0);
    }

    @Override
    public String decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Transcoder.utf8()", flags);
        try {
            return Utf8.decode(data);
        } catch (UnreadableValueException e) {
            throw new MemcachedDecodingException(String.valueOf(e.getMessage()), flags, e.getCause());
        }
    }
}

enum CounterTranscoder implements Transcoder<Long> {
    INSTANCE;

    @Override
    public EncodedValue encode(Long value) {
        return new EncodedValue(Long.toUnsignedString(value).getBytes(StandardCharsets.US_ASCII), 0);
    }

    @Override
    public Long decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Transcoder.counter()", flags);
        // The server's decr adds spaces after a number that became shorter.
        return Long.parseUnsignedLong(new String(data, StandardCharsets.US_ASCII).stripTrailing());
    }
}

enum AsStoredTranscoder implements Transcoder<EncodedValue> {
    INSTANCE;

    @Override
    public EncodedValue encode(EncodedValue value) {
        return value;
    }

    @Override
    public EncodedValue decode(byte[] data, int flags) {
        return new EncodedValue(data, flags);
    }
}
