// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.json.Jackson2Transcoder;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;

/**
 * {@link Transcoder} that needs no flags: only the value's bytes are stored, with flags 0.
 *
 * <p>Where flags matter, the template and its connections take any {@code Transcoder}. An example is {@link
 * io.memshard.client.transcoder.CompatibleTranscoder}, for items that another client wrote.
 *
 * <p>Threading and failure: as for {@code Transcoder}. An item with flags cannot be decoded; the failure names the
 * transcoder that can read it.
 */
public interface MemcachedSerializer<T> extends Transcoder<T> {

    /** Returns the bytes to store for {@code value}; not copied. */
    byte[] serialize(T value);

    /** Returns the value of exactly these bytes, which the serializer may keep. */
    T deserialize(byte[] data);

    @Override
    default EncodedValue encode(T value) {
        return new EncodedValue(serialize(value), 0);
    }

    @Override
    default T decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("this serializer", flags);
        return deserialize(data);
    }

    /** Returns a serializer of raw bytes, not copied. Reading accepts any flags. */
    static MemcachedSerializer<byte[]> bytes() {
        return FlaglessSerializer.BYTES;
    }

    /** Returns a serializer of strings in UTF-8. */
    static MemcachedSerializer<String> utf8() {
        return FlaglessSerializer.UTF8;
    }

    /**
     * Returns a serializer of unsigned 64-bit decimals, the format of {@code incr} and {@code decr}. A negative {@code
     * long} stands for the number 2^64 above it.
     */
    static MemcachedSerializer<Long> counter() {
        return FlaglessSerializer.COUNTER;
    }

    /**
     * Returns a serializer of {@code type} as JSON, by Jackson 3, or by Jackson 2 if only that version is on the class
     * path. Both use their default settings, which differ for dates among others. {@link
     * io.memshard.client.json.Jackson3Transcoder} and {@link io.memshard.client.json.Jackson2Transcoder} accept a
     * mapper and generic types.
     */
    static <T> MemcachedSerializer<T> json(Class<T> type) {
        return new FlaglessSerializer<>(FlaglessSerializer.jackson(type));
    }
}

/** Serializer over a transcoder that neither writes nor reads flags. */
record FlaglessSerializer<T>(Transcoder<T> transcoder) implements MemcachedSerializer<T> {

    static final MemcachedSerializer<byte[]> BYTES = new FlaglessSerializer<>(Transcoder.bytes());
    static final MemcachedSerializer<String> UTF8 = new FlaglessSerializer<>(Transcoder.utf8());
    static final MemcachedSerializer<Long> COUNTER = new FlaglessSerializer<>(Transcoder.counter());

    static <T> Transcoder<T> jackson(Class<T> type) {
        try {
            return Jackson3Transcoder.of(type);
        } catch (NoClassDefFoundError no3) {
            try {
                return Jackson2Transcoder.of(type);
            } catch (NoClassDefFoundError no2) {
                no2.addSuppressed(no3);
                throw new IllegalStateException(
                        "MemcachedSerializer.json needs Jackson: add tools.jackson.core:jackson-databind (3) or"
                                + " com.fasterxml.jackson.core:jackson-databind (2)",
                        no2);
            }
        }
    }

    @Override
    public byte[] serialize(T value) {
        return transcoder.encode(value).data();
    }

    @Override
    public T deserialize(byte[] data) {
        return transcoder.decode(data, 0);
    }

    @Override
    public T decode(byte[] data, int flags) {
        return transcoder.decode(data, flags);
    }
}
