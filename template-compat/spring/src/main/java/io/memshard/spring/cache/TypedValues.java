// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Transcoder of values of one type, which sets a flag and writes the name of the type before each value. A stored value
 * of another type is rejected: JSON alone would often be read as an object of the wrong class. No other transcoder
 * reads values with the flag.
 *
 * <p>Threading: as documented by the transcoder underneath.
 */
final class TypedValues implements Transcoder<Object> {

    /** Flag of a value that follows the name of its type. None of Memshard's transcoders writes it. */
    private static final int TYPED = 1 << 30;

    private final Transcoder<Object> values;
    private final String name;

    /** Name of the type and a line end. */
    private final byte[] mark;

    private final @Nullable Class<?> onlyClass;

    /** Creates a transcoder of values of {@code type}, which {@code values} converts. */
    @SuppressWarnings("unchecked") // The type is that of the method whose results are stored.
    TypedValues(Transcoder<?> values, Type type) {
        this.values = (Transcoder<Object>) values;
        this.name = type.getTypeName();
        this.mark = (name + '\n').getBytes(StandardCharsets.UTF_8);
        this.onlyClass = ValueTypes.onlyClass(type);
    }

    @Override
    public EncodedValue encode(Object value) {
        if (onlyClass != null && value.getClass() != onlyClass) {
            throw new IllegalArgumentException("the value is a "
                    + value.getClass().getName() + ", and the cached method declares " + name
                    + ", as which JSON would bring it back: declare the class of the value, or annotate "
                    + onlyClass.getSimpleName() + " with @JsonTypeInfo");
        }
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
                    "the entry is not the " + name + " that the method declares", flags, null);
        }
        return values.decode(Arrays.copyOfRange(data, mark.length, data.length), flags & ~TYPED);
    }
}
