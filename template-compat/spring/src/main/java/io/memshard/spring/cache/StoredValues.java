// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.Optional;
import org.springframework.cache.support.NullValue;

/**
 * Transcoder of a cache's stored values: those of another transcoder, and null.
 *
 * <p>Threading: like the other transcoder.
 *
 * @param values transcoder of all values, null as an empty {@code Optional}
 */
record StoredValues(Transcoder<Optional<Object>> values) implements Transcoder<Object> {

    /** Flag of a value without bytes, which is stored as one byte: an empty item may be a placeholder. */
    private static final int EMPTY_FLAG = 1 << 27;

    @Override
    public EncodedValue encode(Object value) {
        EncodedValue encoded = values.encode(value instanceof NullValue ? Optional.empty() : Optional.of(value));
        return encoded.data().length > 0 ? encoded : new EncodedValue(new byte[1], encoded.flags() | EMPTY_FLAG);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        boolean isEmpty = (flags & EMPTY_FLAG) != 0;
        return values.decode(isEmpty ? new byte[0] : data, flags & ~EMPTY_FLAG).orElse(NullValue.INSTANCE);
    }
}
