// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Converter of values to bytes and flags, and back.
 *
 * <p>Threading: an implementation must be thread-safe. A blocking call encodes and decodes on the calling thread, with
 * that thread's context class loader. An asynchronous call decodes on the thread that completes the future.
 *
 * <p>Failure: an exception of {@code encode} is thrown to the caller, and nothing is sent. An exception, a
 * {@code StackOverflowError} or an {@code OutOfMemoryError} of {@code decode} reaches the caller as a
 * {@link io.memshard.client.exception.MemcachedDecodingException}. The connection is not affected.
 */
public interface Transcoder<V> {

    /** Returns the bytes and flags to store for {@code value}. */
    EncodedValue encode(V value);

    /**
     * Returns the value stored as {@code data} with {@code flags}.
     *
     * @param data exactly the item's bytes, not copied; the transcoder may keep the array
     */
    V decode(byte[] data, int flags);

    /**
     * Returns whether values can be joined, as {@code append} and {@code prepend} require. The joined bytes of two
     * values must decode to the joined value. So the flags must be constant, and the bytes must not be compressed or
     * framed.
     */
    default boolean isAppendable() {
        return false;
    }

    /**
     * Throws a {@link MemcachedDecodingException} unless {@code flags} is 0. A transcoder that writes no flags would
     * misread a value with flags.
     *
     * @param transcoder name of the calling transcoder, for the message
     */
    static void checkNoFlags(String transcoder, int flags) {
        if (flags != 0) {
            throw UsedFlags.notWritten(transcoder, flags);
        }
    }

    /**
     * Returns a transcoder that stores bytes unchanged, with flags 0. Reads accept any flags, and return a compressed
     * value as stored. Do not change an array before the call that stores the array has returned or thrown.
     */
    static Transcoder<byte[]> bytes() {
        return BytesTranscoder.INSTANCE;
    }

    /**
     * Returns a transcoder for strings in UTF-8, with flags 0. Reads reject other flags, and bytes that are not UTF-8.
     * Writes reject a string with an unpaired surrogate.
     *
     * <p>spymemcached and XMemcached write the same bytes for strings of up to 16 KiB, but compress longer strings. To
     * read all values of these clients, use {@link io.memshard.client.transcoder.CompatibleTranscoder}.
     */
    static Transcoder<String> utf8() {
        return Utf8Transcoder.INSTANCE;
    }

    /**
     * Returns a transcoder for unsigned 64-bit decimal numbers, with flags 0, in the format of {@code incr} and
     * {@code decr}. A negative {@code long} means its value plus 2^64.
     */
    static Transcoder<Long> counter() {
        return CounterTranscoder.INSTANCE;
    }

    /**
     * Returns a transcoder that also stores an empty {@code Optional}, so that {@code getOrLoad} can cache the absence
     * of a value. This transcoder encodes the values of other {@code Optional}s. An empty {@code Optional} is stored as
     * the ASCII text {@code null} with the flag 2^29. A value that this transcoder reads as null, such as {@code null}
     * in JSON, is also read as an empty {@code Optional}.
     */
    default Transcoder<Optional<V>> optional() {
        return new OptionalTranscoder<>(this);
    }

    /** Returns a transcoder that keeps bytes and flags unchanged, for programs that encode values themselves. */
    static Transcoder<EncodedValue> asStored() {
        return AsStoredTranscoder.INSTANCE;
    }
}

record OptionalTranscoder<V>(Transcoder<V> values) implements Transcoder<Optional<V>> {

    private static final byte[] EMPTY = "null".getBytes(StandardCharsets.US_ASCII);

    @Override
    public EncodedValue encode(Optional<V> value) {
        return value.map(values::encode).orElseGet(() -> new EncodedValue(EMPTY.clone(), UsedFlags.NO_VALUE));
    }

    @Override
    public Optional<V> decode(byte[] data, int flags) {
        return flags == UsedFlags.NO_VALUE ? Optional.empty() : Optional.ofNullable(values.decode(data, flags));
    }
}

enum BytesTranscoder implements Transcoder<byte[]> {
    INSTANCE;

    @Override
    public boolean isAppendable() {
        return true;
    }

    @Override
    public EncodedValue encode(byte[] value) {
        return new EncodedValue(value, 0);
    }

    @Override
    public byte[] decode(byte[] data, int flags) {
        return data;
    }
}

enum CounterTranscoder implements Transcoder<Long> {
    INSTANCE;

    @Override
    public EncodedValue encode(Long value) {
        return new EncodedValue(Long.toUnsignedString(value).getBytes(StandardCharsets.US_ASCII), 0);
    }

    @Override
    public Long decode(byte[] data, int flags) {
        Transcoder.checkNoFlags("Transcoder.counter()", flags);
        // The server's decr pads a number that became shorter with spaces.
        return Long.parseUnsignedLong(new String(data, StandardCharsets.US_ASCII).stripTrailing());
    }
}

enum AsStoredTranscoder implements Transcoder<EncodedValue> {
    INSTANCE;

    @Override
    public boolean isAppendable() {
        return true;
    }

    @Override
    public EncodedValue encode(EncodedValue value) {
        return value;
    }

    @Override
    public EncodedValue decode(byte[] data, int flags) {
        return new EncodedValue(data, flags);
    }
}
