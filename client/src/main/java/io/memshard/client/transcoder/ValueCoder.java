// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.options.Exptime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * Encodes values for storage and decodes them, under a client's limit. All operations of a client share it.
 *
 * <p>Threading: immutable.
 *
 * @param transcoder turns values into bytes and flags
 * @param maxValueBytes the largest encoded value to send
 * @param clock tells the time, for times to live above 30 days
 * @param hidesKeys whether the messages of failures leave keys out
 */
public record ValueCoder<V>(Transcoder<V> transcoder, int maxValueBytes, Clock clock, boolean hidesKeys) {

    /** Checks the transcoder. */
    public ValueCoder {
        Objects.requireNonNull(transcoder, "transcoder is null");
    }

    /** A coder whose failures show keys. */
    public ValueCoder(Transcoder<V> transcoder, int maxValueBytes, Clock clock) {
        this(transcoder, maxValueBytes, clock, false);
    }

    /** The same with another transcoder. */
    public <W> ValueCoder<W> withTranscoder(Transcoder<W> other) {
        return new ValueCoder<>(other, maxValueBytes, clock, hidesKeys);
    }

    /**
     * The bytes and flags to store for {@code value}.
     *
     * @throws MemcachedValueTooLargeException if the bytes are above the limit
     * @throws NullPointerException if it is null
     */
    public EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(checkValue(value));
        if (encoded.data().length > maxValueBytes) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit maxValueBytes=" + maxValueBytes
                            + "; the value was not sent",
                    null,
                    null);
        }
        return encoded;
    }

    /** Returns the value if there is one. */
    public static <V> V checkValue(V value) {
        return Objects.requireNonNull(value, "value is null: to remove the item, use delete");
    }

    /**
     * The value that is stored as {@code data} under {@code flags}.
     *
     * @throws MemcachedDecodingException with the flags, for any exception of the transcoder, and for a lack of
     *     stack or memory in it
     */
    public V decode(byte[] data, int flags) {
        return decode(transcoder, data, flags);
    }

    /** Decodes with a transcoder, without a key for its failure. Otherwise as {@link EncodedValue#decodeWith}. */
    static <V> V decode(Transcoder<V> transcoder, byte[] data, int flags) {
        try {
            return transcoder.decode(data, flags);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // The value was too deep or too large, for this transcoder on this thread. Others are not affected.
            throw MemcachedDecodingException.of(e, flags);
        }
    }

    /** As {@link EncodedValue#decodeWith}. */
    public V decode(String key, EncodedValue stored) {
        return stored.decodeWith(transcoder, key, hidesKeys);
    }

    /** The exptime of an item that lives for {@code ttl}: {@link Exptime#of(Duration, Clock)}. */
    public int exptime(Duration ttl) {
        return Exptime.of(ttl, clock);
    }
}
