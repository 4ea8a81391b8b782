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
     * <p>Failure: {@link MemcachedDecodingException} with the key and the flags, for any exception of the transcoder.
     */
    public <V> V decodeWith(Transcoder<V> transcoder, String key) {
        try {
            return decode(transcoder, data, flags);
        } catch (MemcachedDecodingException e) {
            throw e.under(key);
        }
    }

    /** As {@link #decodeWith}, where the key is not at hand. */
    static <V> V decode(Transcoder<V> transcoder, byte[] data, int flags) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException e) {
            throw MemcachedDecodingException.of(e, flags);
        }
    }
}
