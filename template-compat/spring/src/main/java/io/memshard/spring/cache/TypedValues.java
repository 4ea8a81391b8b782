// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** Transcoder of one type. Rejects stored values of another type, which JSON might decode as a wrong object. */
final class TypedValues implements Transcoder<Object> {

    /** Flag of data that begins with the name of the value's type. No other transcoder of Memshard sets this flag. */
    private static final int TYPED = 1 << 30;

    private final Transcoder<Object> values;
    private final Type type;

    private final byte[] mark;

    @SuppressWarnings("unchecked") // The type is that of the method whose results are stored.
    TypedValues(Transcoder<?> values, Type type) {
        this.values = (Transcoder<Object>) values;
        this.type = type;
        this.mark = (type.getTypeName() + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the name of the type at the start of the data, or null if the data has no such name. */
    static @Nullable String typeName(byte[] data, int flags) {
        String text = (flags & TYPED) == 0 ? "" : new String(data, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        return end < 0 ? null : text.substring(0, end);
    }

    @Override
    public EncodedValue encode(Object given) {
        boolean isOther = given instanceof Iterable && !(given instanceof List);
        Object value = isOther && ResolvableType.forType(type).resolve() == List.class
                ? StreamSupport.stream(((Iterable<?>) given).spliterator(), false)
                        .toList()
                : given;
        EncodedValue encoded = values.encode(value);
        byte[] data = Arrays.copyOf(mark, mark.length + encoded.data().length);
        System.arraycopy(encoded.data(), 0, data, mark.length, encoded.data().length);
        return new EncodedValue(data, encoded.flags() | TYPED);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        boolean isOfType = (flags & TYPED) != 0
                && data.length >= mark.length
                && Arrays.equals(data, 0, mark.length, mark, 0, mark.length);
        if (!isOfType) {
            throw new MemcachedDecodingException(
                    "the entry is not of the type " + type.getTypeName() + " that the method declares", flags, null);
        }
        return values.decode(Arrays.copyOfRange(data, mark.length, data.length), flags & ~TYPED);
    }

    @Override
    public String toString() {
        return values + " of " + type.getTypeName();
    }
}
