package io.memshard.client;

import java.nio.charset.StandardCharsets;

/**
 * Turns values into bytes and flags, and back.
 *
 * <p>Threading: must be safe for use by many threads at once. A blocking call encodes and decodes on
 * the calling thread, so the caller's context class loader is in force; an asynchronous one decodes
 * on the thread that completes the future.
 *
 * <p>Failure: what {@code encode} throws is thrown to the caller with nothing sent; what {@code decode}
 * throws is thrown to the caller, and the connection is not affected.
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

    /** Bytes as they are, flags 0. Arrays are passed on, not copied. */
    static Transcoder<byte[]> bytes() {
        return BytesTranscoder.INSTANCE;
    }

    /** Strings in UTF-8, flags 0: what spymemcached and XMemcached write for strings. */
    static Transcoder<String> utf8() {
        return Utf8Transcoder.INSTANCE;
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
        return new EncodedValue(value.getBytes(StandardCharsets.UTF_8), 0);
    }

    @Override
    public String decode(byte[] data, int flags) {
        return new String(data, StandardCharsets.UTF_8);
    }
}
