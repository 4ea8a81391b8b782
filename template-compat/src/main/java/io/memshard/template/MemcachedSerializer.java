package io.memshard.template;

import io.memshard.client.EncodedValue;
import io.memshard.client.Transcoder;
import java.nio.charset.StandardCharsets;

/**
 * A {@link Transcoder} that needs no flags: a value is its bytes, and the flags are written as 0.
 *
 * <p>Where flags matter (reading what another client compressed, say) implement {@code Transcoder};
 * the template and its connections take either. There is none for Java serialization.
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
        return BytesSerializer.INSTANCE;
    }

    /** Strings in UTF-8. */
    static MemcachedSerializer<String> utf8() {
        return Utf8Serializer.INSTANCE;
    }

    /**
     * Unsigned 64-bit decimals, as {@code incr} and {@code decr} keep them: a negative {@code long}
     * stands for the number 2^64 above it.
     */
    static MemcachedSerializer<Long> counter() {
        return CounterSerializer.INSTANCE;
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

enum BytesSerializer implements MemcachedSerializer<byte[]> {
    INSTANCE;

    @Override
    public byte[] serialize(byte[] value) {
        return value;
    }

    @Override
    public byte[] deserialize(byte[] data) {
        return data;
    }
}

enum Utf8Serializer implements MemcachedSerializer<String> {
    INSTANCE;

    @Override
    public byte[] serialize(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String deserialize(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }
}

enum CounterSerializer implements MemcachedSerializer<Long> {
    INSTANCE;

    @Override
    public byte[] serialize(Long value) {
        return Long.toUnsignedString(value).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Long deserialize(byte[] data) {
        // The server's decr pads a number that got shorter with blanks behind it.
        return Long.parseUnsignedLong(new String(data, StandardCharsets.US_ASCII).stripTrailing());
    }
}
