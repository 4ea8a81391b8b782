// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Transcoder of values of one type, with the name of the type before each value. A value of another type is not read:
 * JSON alone would often be read as an object of the wrong class.
 *
 * <p>Threading: like the other transcoder.
 *
 * @param values transcoder of the values
 * @param mark name of the type and a line end
 */
// An array in a record: compared by identity only.
@SuppressWarnings("ArrayRecordComponent")
record TypedValues(Transcoder<Object> values, byte[] mark) implements Transcoder<Object> {

    @SuppressWarnings("unchecked") // The type is that of the method whose results are stored.
    TypedValues(Transcoder<?> values, Type type) {
        this((Transcoder<Object>) values, (type.getTypeName() + '\n').getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public EncodedValue encode(Object value) {
        EncodedValue encoded = values.encode(value);
        byte[] data = Arrays.copyOf(mark, mark.length + encoded.data().length);
        System.arraycopy(encoded.data(), 0, data, mark.length, encoded.data().length);
        return new EncodedValue(data, encoded.flags());
    }

    @Override
    public Object decode(byte[] data, int flags) {
        if (data.length < mark.length || !Arrays.equals(data, 0, mark.length, mark, 0, mark.length)) {
            throw new IllegalArgumentException(
                    "the entry has another type than " + new String(mark, StandardCharsets.UTF_8).trim());
        }
        return values.decode(Arrays.copyOfRange(data, mark.length, data.length), flags);
    }
}
