// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.nio.charset.StandardCharsets;
import org.springframework.cache.support.NullValue;

/** Transcoder that adds null to the values of the wrapped transcoder. */
record StoredValues(Transcoder<Object> values) implements Transcoder<Object> {

    /** Flags of a null value. None of Memshard's transcoders writes these flags. */
    private static final int NULL_FLAGS = 1 << 29;

    private static final String NULL = "null";

    /** Flag of a value without bytes, which is stored as one byte because an empty item may be a placeholder. */
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
