package io.memshard.template;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;

/**
 * A {@link Transcoder} that needs no flags: a value is its bytes, and the flags are written as 0.
 *
 * <p>Where flags matter the template and its connections take any {@code Transcoder}, such as {@link
 * io.memshard.client.transcoder.CompatibleTranscoder} for what another client wrote.
 *
 * <p>Threading and failure: as for {@code Transcoder}.
 */
public interface MemcachedSerializer<T> extends Transcoder<T> {

    /** The bytes to store for {@code value}; not copied. */
    byte[] serialize(T value);

    /** The value of exactly these bytes, which the serializer may keep. */
    T deserialize(byte[] data);

    @Override
    default EncodedValue encode(T value) {
        return new EncodedValue(serialize(value), 0);
    }

    @Override
    default T decode(byte[] data, int flags) {
        return deserialize(data);
    }

    /** Bytes as they are, not copied. */
    static MemcachedSerializer<byte[]> bytes() {
        return FlaglessSerializer.BYTES;
    }

    /** Strings in UTF-8. */
    static MemcachedSerializer<String> utf8() {
        return FlaglessSerializer.UTF8;
    }

    /**
     * Unsigned 64-bit decimals, as {@code incr} and {@code decr} keep them: a negative {@code long}
     * stands for the number 2^64 above it.
     */
    static MemcachedSerializer<Long> counter() {
        return FlaglessSerializer.COUNTER;
    }

    /**
     * Values of {@code type} as JSON, by Jackson 3; needs {@code tools.jackson.core:jackson-databind}
     * on the class path.
     */
    static <T> MemcachedSerializer<T> json(Class<T> type) {
        try {
            return new JsonSerializer<>(type);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "MemcachedSerializer.json needs Jackson 3: add tools.jackson.core:jackson-databind", e);
        }
    }
}

/** A transcoder that writes no flags and reads none. */
record FlaglessSerializer<T>(Transcoder<T> transcoder) implements MemcachedSerializer<T> {

    static final MemcachedSerializer<byte[]> BYTES = new FlaglessSerializer<>(Transcoder.bytes());
    static final MemcachedSerializer<String> UTF8 = new FlaglessSerializer<>(Transcoder.utf8());
    static final MemcachedSerializer<Long> COUNTER = new FlaglessSerializer<>(Transcoder.counter());

    @Override
    public byte[] serialize(T value) {
        return transcoder.encode(value).data();
    }

    @Override
    public T deserialize(byte[] data) {
        return transcoder.decode(data, 0);
    }
}
