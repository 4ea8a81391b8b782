// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;

/**
 * Value in the form stored by the server.
 *
 * @param data the bytes, not copied; do not change them before the call that stores them has returned or thrown
 * @param flags the item's client flags, an opaque unsigned 32-bit number to the server
 */
// An array in a record: compared by identity only.
@SuppressWarnings("ArrayRecordComponent")
public record EncodedValue(byte[] data, int flags) {

    /**
     * Decodes this value, read under {@code key}, with {@code transcoder}.
     *
     * <p>Failure: throws a {@link MemcachedDecodingException} with the key and the flags, for any exception of the
     * transcoder, and if the transcoder runs out of stack or memory.
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key) {
        return decodeWith(transcoder, key, false);
    }

    /**
     * Same as {@link #decodeWith(Transcoder, String)}, but can hide the key.
     *
     * @param hidesKey whether the failure's message omits the key
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key, boolean hidesKey) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // The value was too deep or too large for this transcoder on this thread. Other values are not affected.
            throw MemcachedDecodingException.of(e, flags).under(key, hidesKey);
        }
    }

    /** Shows the length and the flags, but no bytes of the value. */
    @Override
    public String toString() {
        return "EncodedValue[" + data.length + " bytes, flags=" + Integer.toUnsignedString(flags) + ']';
    }
}
