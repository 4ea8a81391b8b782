// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Transcoder that decodes the first encoded value of each class as a check. Rejects a value that cannot be decoded, or
 * that has other contents afterwards.
 */
final class CheckedValues implements Transcoder<Object> {

    private final Transcoder<Object> values;
    private final Set<Shape> passed = ConcurrentHashMap.newKeySet();

    CheckedValues(Transcoder<Object> values) {
        this.values = values;
    }

    private record Shape(Class<?> type, @Nullable Class<?> element) {

        static Shape of(Object value) {
            Collection<?> elements = value instanceof Map<?, ?> map
                    ? map.values()
                    : value instanceof Collection<?> list ? list : Set.of();
            Object first = elements.isEmpty() ? null : elements.iterator().next();
            return new Shape(value.getClass(), first == null ? null : first.getClass());
        }
    }

    @Override
    public EncodedValue encode(Object value) {
        Shape shape = Shape.of(value);
        if (passed.contains(shape)) {
            return values.encode(value);
        }
        EncodedValue encoded = encodeChecked(value);
        if (shape.element != null || !(value instanceof Collection || value instanceof Map)) {
            passed.add(shape);
        }
        return encoded;
    }

    EncodedValue encodeChecked(Object value) {
        EncodedValue encoded = values.encode(value);
        Object read;
        try {
            read = values.decode(encoded.data(), encoded.flags());
        } catch (RuntimeException e) {
            throw refused(value, "its bytes cannot be read", e);
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
        return values.decode(data, flags);
    }
}
