package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;

/**
 * A value as the server keeps it.
 *
 * @param data the bytes, not copied; not to be changed until the command is over
 * @param flags the item's client flags, an opaque unsigned 32-bit number to the server
 */
// An array in a record: identity equality is all that anybody needs of it.
@SuppressWarnings("ArrayRecordComponent")
public record EncodedValue(byte[] data, int flags) {

    /**
     * This value, read under {@code key}, as {@code transcoder} decodes it.
     *
     * <p>Failure: {@link MemcachedDecodingException} with the key and the flags, whatever the transcoder throws.
     */
    public <V> V decodedBy(Transcoder<V> transcoder, String key) {
        try {
            return decode(transcoder, data, flags);
        } catch (MemcachedDecodingException e) {
            throw e.under(key);
        }
    }

    /** As {@link #decodedBy}, where the key is not at hand. */
    static <V> V decode(Transcoder<V> transcoder, byte[] data, int flags) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException e) {
            throw MemcachedDecodingException.of(e, flags);
        }
    }
}
