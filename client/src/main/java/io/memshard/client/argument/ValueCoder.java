// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.argument;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/** Encoder and decoder of values, with the client's limit for the size of an encoded value. Threading: immutable. */
public record ValueCoder<V>(
        Transcoder<V> transcoder, int maxValueBytes, Clock clock, boolean hidesKeys, boolean copies) {

    public ValueCoder {
        Objects.requireNonNull(transcoder, "transcoder is null");
    }

    public <W> ValueCoder<W> withTranscoder(Transcoder<W> other) {
        return new ValueCoder<>(other, maxValueBytes, clock, hidesKeys, copies);
    }

    public ValueCoder<V> copying() {
        return new ValueCoder<>(transcoder, maxValueBytes, clock, hidesKeys, true);
    }

    public EncodedValue encode(V value) {
        EncodedValue encoded = transcoder.encode(checkValue(value));
        if (encoded.data().length > maxValueBytes) {
            throw new MemcachedValueTooLargeException(
                    "the value has " + encoded.data().length + " bytes, above the limit maxValueBytes=" + maxValueBytes
                            + "; the value was not sent",
                    null,
                    null);
        }
        // A string or a number has no array that its caller could change.
        return copies && !(value instanceof String || value instanceof Number)
                ? new EncodedValue(encoded.data().clone(), encoded.flags())
                : encoded;
    }

    public EncodedValue encodePart(String operation, V part) {
        checkAppendable(operation, transcoder);
        return encode(part);
    }

    public static void checkAppendable(String operation, Transcoder<?> transcoder) {
        if (!transcoder.isAppendable()) {
            throw new MemcachedUnsupportedException(operation + " would make the value unreadable, because values of"
                    + " this transcoder cannot be joined: use a client with Transcoder.bytes() or utf8() for this key,"
                    + " or override isAppendable() in a transcoder whose values can be joined");
        }
    }

    public static <V> V checkValue(V value) {
        return Objects.requireNonNull(value, "value is null: to remove the item, use delete");
    }

    public V decode(String key, EncodedValue stored) {
        return stored.decodeWith(transcoder, key, hidesKeys);
    }

    public int exptime(Duration ttl) {
        return Exptime.of(ttl, clock);
    }
}
