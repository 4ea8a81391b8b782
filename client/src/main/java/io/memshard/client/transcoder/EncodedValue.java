// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;

/**
 * A value as the server stores it.
 *
 * @param data the bytes, not copied; do not change them until the command is complete
 * @param flags the item's client flags, an opaque unsigned 32-bit number to the server
 */
// An array in a record: nothing compares it but by identity.
@SuppressWarnings("ArrayRecordComponent")
public record EncodedValue(byte[] data, int flags) {

    /**
     * Decodes this value, read under {@code key}, with {@code transcoder}.
     *
     * <p>Failure: {@link MemcachedDecodingException} with the key and the flags, for any exception of the transcoder,
     * and for a lack of stack or memory in it.
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key) {
        return decodeWith(transcoder, key, false);
    }

    /**
     * As {@link #decodeWith(Transcoder, String)}.
     *
     * @param hidesKey whether the failure's message leaves the key out
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key, boolean hidesKey) {
        try {
            return ValueCoder.decode(transcoder, data, flags);
        } catch (MemcachedDecodingException e) {
            throw e.under(key, hidesKey);
        }
    }

    /** The length and the flags, none of the bytes. */
    @Override
    public String toString() {
        return "EncodedValue[" + data.length + " bytes, flags=" + Integer.toUnsignedString(flags) + ']';
    }
}
