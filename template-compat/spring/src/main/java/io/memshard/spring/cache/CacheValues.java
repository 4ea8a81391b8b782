// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.NullValue;

/** Transcoder that also stores null. Decodes the first value of each class as a check, and rejects a changed value. */
final class CacheValues implements Transcoder<Object> {

    /** Flags of a null value. None of Memshard's transcoders writes these flags. */
    private static final int NULL_FLAGS = 1 << 29;

    /** Flag of an empty value, which is stored as one byte. An empty item may be the placeholder of a load. */
    private static final int EMPTY_FLAG = 1 << 27;

    private final Transcoder<Object> values;

    /** Classes whose values have passed the check; for a collection, also the class of its first element. */
    private final Set<List<Class<?>>> passed = ConcurrentHashMap.newKeySet();

    CacheValues(Transcoder<Object> values) {
        this.values = values;
    }

    @Override
    public EncodedValue encode(Object value) {
        if (value instanceof NullValue) {
            return new EncodedValue("null".getBytes(StandardCharsets.US_ASCII), NULL_FLAGS);
        }
        Object first = value instanceof Map<?, ?> map
                ? firstOf(map.values())
                : value instanceof Collection<?> elements ? firstOf(elements) : value;
        List<Class<?>> classes = first == null ? List.of() : List.of(value.getClass(), first.getClass());
        EncodedValue encoded = passed.contains(classes) ? values.encode(value) : encodeChecked(value);
        if (first != null) {
            passed.add(classes);
        }
        return encoded.data().length > 0 ? encoded : new EncodedValue(new byte[1], encoded.flags() | EMPTY_FLAG);
    }

    private static @Nullable Object firstOf(Collection<?> elements) {
        return elements.isEmpty() ? null : elements.iterator().next();
    }

    EncodedValue encodeChecked(Object value) {
        EncodedValue encoded = values.encode(value);
        Object read;
        try {
            read = values.decode(encoded.data(), encoded.flags());
        } catch (RuntimeException e) {
            throw refused(value, "its stored bytes cannot be decoded", e);
        }
        String difference = Difference.between(value, read);
        if (difference != null) {
            throw refused(value, difference, null);
        }
        return encoded;
    }

    private IllegalArgumentException refused(Object value, String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "a " + value.getClass().getName() + " cannot be cached as " + values + ": " + why
                        + ". Let the method declare the class of the value, annotate a superclass with @JsonTypeInfo,"
                        + " or store the value by another transcoder",
                cause);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        if (flags == NULL_FLAGS) {
            return NullValue.INSTANCE;
        }
        return (flags & EMPTY_FLAG) == 0 ? values.decode(data, flags) : values.decode(new byte[0], flags & ~EMPTY_FLAG);
    }
}
