// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import org.springframework.cache.support.NullValue;

/**
 * The values of a cache as they are stored: those of a transcoder, and null.
 *
 * <p>Threading: as the transcoder.
 *
 * @param values for all values but null
 */
record StoredValues(Transcoder<Object> values) implements Transcoder<Object> {

    /** The flags of a null value, which no transcoder of ours writes. */
    private static final int NULL_FLAGS = 1 << 29;

    private static final String NULL = "null";

    /** The flag of a value without bytes, which has one here: an empty item may hold the place of a value. */
    private static final int EMPTY_FLAG = 1 << 27;

    @Override
    public EncodedValue encode(Object value) {
        if (value instanceof NullValue) {
            return new EncodedValue(NULL.getBytes(StandardCharsets.US_ASCII), NULL_FLAGS);
        }
        EncodedValue encoded = values.encode(value);
        return encoded.data().length > 0 ? encoded : new EncodedValue(new byte[1], encoded.flags() | EMPTY_FLAG);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        if (flags == NULL_FLAGS) {
            return NullValue.INSTANCE;
        }
        return (flags & EMPTY_FLAG) == 0 ? values.decode(data, flags) : values.decode(new byte[0], flags & ~EMPTY_FLAG);
    }
}
