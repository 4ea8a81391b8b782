// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;

/**
 * Value in the form that the server stores.
 *
 * @param data the bytes, not copied; do not change them before the call that stores them has returned or thrown
 * @param flags the item's client flags: an unsigned 32-bit number, which the server does not interpret
 */
@SuppressWarnings("ArrayRecordComponent") // equals() compares the array by identity only.
public record EncodedValue(byte[] data, int flags) {

    /**
     * Decodes this value, whose item has the key {@code key}.
     *
     * <p>Failure: throws a {@link MemcachedDecodingException} if the transcoder throws an exception or runs out of
     * stack or memory. Its message has the flags and, unless {@code hidesKey} is true, the key.
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key, boolean hidesKey) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // An Error means that this value is too deep or too large for the transcoder.
            throw MemcachedDecodingException.of(e, flags).under(key, hidesKey);
        }
    }

    /** Shows the length and the flags, but no bytes of the value. */
    @Override
    public String toString() {
        return "EncodedValue[" + data.length + " bytes, flags=" + Integer.toUnsignedString(flags) + ']';
    }
}
