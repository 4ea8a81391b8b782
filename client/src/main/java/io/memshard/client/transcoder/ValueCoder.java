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
 */
public record ValueCoder<V>(Transcoder<V> transcoder, int maxValueBytes, Clock clock) {

    /** Checks the transcoder. */
    public ValueCoder {
        Objects.requireNonNull(transcoder, "transcoder is null");
    }

    /** The same with another transcoder. */
    public <W> ValueCoder<W> withTranscoder(Transcoder<W> other) {
        return new ValueCoder<>(other, maxValueBytes, clock);
    }

    /**
     * The bytes and flags to store for {@code value}.
     *
     * @throws MemcachedValueTooLargeException if the bytes are above the limit
     */
    public EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(value);
        if (encoded.data().length > maxValueBytes) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit maxValueBytes=" + maxValueBytes
                            + "; nothing was sent",
                    null,
                    null);
        }
        return encoded;
    }

    /**
     * The value that is stored as {@code data} under {@code flags}.
     *
     * @throws MemcachedDecodingException with the flags, for any exception of the transcoder
     */
    public V decode(byte[] data, int flags) {
        return EncodedValue.decode(transcoder, data, flags);
    }

    /** As {@link EncodedValue#decodeWith}. */
    public V decode(String key, EncodedValue stored) {
        return stored.decodeWith(transcoder, key);
    }

    /** The exptime of an item that lives for {@code ttl}: {@link Exptime#of(Duration, Clock)}. */
    public int exptime(Duration ttl) {
        return Exptime.of(ttl, clock);
    }
}
