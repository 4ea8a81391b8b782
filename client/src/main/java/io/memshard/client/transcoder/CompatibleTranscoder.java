// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.io.InvalidObjectException;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Transcoder that reads and writes values in the formats of an older client. The item's flags contain the type of the
 * value.
 *
 * <p>Supports strings, byte arrays, {@link Date}, {@link Instant} and the boxed primitives for which the older client
 * has a flag. An {@code Instant} is stored as a {@code Date}, with millisecond precision. Strings are stored in UTF-8.
 * Values above 16 KiB are compressed with gzip if the compressed values are smaller. Values of other types require
 * {@link #javaSerialization}. {@link #only} returns a transcoder for values of one type.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: {@code encode} throws an {@link IllegalArgumentException} for an unsupported type. {@code decode} throws
 * a {@link MemcachedDecodingException} for flags that the older client does not write, and for bytes that do not match
 * the flags.
 */
@SuppressWarnings("exports") // Users do not need UsedFlags.
public final class CompatibleTranscoder implements Transcoder<Object>, UsedFlags {

    private final FlagTable table;
    private final Compression compression;
    private final @Nullable JavaSerialization serialization;
    private final Transcoder<Object> compressed;

    private CompatibleTranscoder(FlagTable table, Compression compression, @Nullable JavaSerialization serialization) {
        this.table = table;
        this.compression = compression;
        this.serialization = serialization;
        this.compressed = compression.around(new ByFlags(table, serialization));
    }

    /**
     * Returns a transcoder compatible with spymemcached's default, its {@code SerializingTranscoder}. Supports boolean,
     * int, long, byte, float, double, date, byte array and string. Dates and numbers, except bytes, are stored without
     * leading zero bytes.
     */
    public static CompatibleTranscoder spymemcached() {
        return new CompatibleTranscoder(FlagTable.SERIALIZING, Compression.gzip(), null);
    }

    /**
     * Returns a transcoder compatible with XMemcached's default, its {@code SerializingTranscoder}. Same as
     * {@link #spymemcached}. For {@code CompressionMode.ZIP}, set {@link Compression#zlib}. Values written with
     * {@code primitiveAsString} are read as strings.
     */
    public static CompatibleTranscoder xmemcached() {
        return spymemcached();
    }

    /**
     * Returns a transcoder compatible with Greg Whalin's client and with the {@code WhalinTranscoder} of spymemcached
     * and XMemcached. Supports the types of {@link #spymemcached}, and char, short, string builder and string buffer.
     * Numbers are stored with leading zero bytes.
     */
    public static CompatibleTranscoder whalin() {
        return new CompatibleTranscoder(FlagTable.WHALIN, Compression.gzip(), null);
    }

    /** Returns a copy with another compression; the default is {@link Compression#gzip}. */
    public CompatibleTranscoder compression(Compression other) {
        return new CompatibleTranscoder(table, other, serialization);
    }

    /** Returns a copy that also supports values of the classes that {@code allowed} permits. */
    public CompatibleTranscoder javaSerialization(JavaSerialization allowed) {
        return new CompatibleTranscoder(table, compression, allowed);
    }

    /**
     * Returns a transcoder for values of one type; reading an item of another type fails.
     *
     * @param type the class of the values; for a primitive, its wrapper class, such as {@code Integer.class}
     * @throws IllegalArgumentException if values of this type cannot be written
     */
    public <T> Transcoder<T> only(Class<T> type) {
        if (type != Instant.class && serialization == null && table.of(type) == null) {
            throw new IllegalArgumentException(unsupported(type, table));
        }
        return new OfOneType<>(this, type);
    }

    @Override
    public int usedFlags() {
        return UsedFlags.of(compressed);
    }

    @Override
    public EncodedValue encode(Object value) {
        return compressed.encode(value);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        return compressed.decode(data, flags);
    }

    private static String unsupported(Class<?> type, FlagTable table) {
        return table + " has no flag for " + type.getName() + ", only for " + table.typeNames()
                + "; for other types, enable CompatibleTranscoder.javaSerialization";
    }

    private record ByFlags(FlagTable table, @Nullable JavaSerialization serialization)
            implements Transcoder<Object>, UsedFlags {

        @Override
        public int usedFlags() {
            return table.usedFlags();
        }

        @Override
        public EncodedValue encode(Object value) {
            Objects.requireNonNull(value, "value is null");
            Object stored = value instanceof Instant instant ? Date.from(instant) : value;
            ValueType<?> type = table.of(stored instanceof Date ? Date.class : stored.getClass());
            if (type != null) {
                return new EncodedValue(type.write(stored), type.flags());
            }
            if (serialization == null) {
                throw new IllegalArgumentException(unsupported(value.getClass(), table));
            }
            return new EncodedValue(serialization.write(value), table.serializedFlag());
        }

        @Override
        public Object decode(byte[] data, int flags) {
            ValueType<?> type = table.under(flags);
            if (type != null) {
                return type.reader().apply(data);
            }
            if (flags != table.serializedFlag()) {
                throw new MemcachedDecodingException(
                        "the value has flags that " + table + " does not write", flags, null);
            }
            if (serialization == null) {
                throw new MemcachedDecodingException(
                        "the value is in Java serialization: enable CompatibleTranscoder.javaSerialization",
                        flags,
                        null);
            }
            try {
                return serialization.read(data);
            } catch (InvalidObjectException e) {
                throw new MemcachedDecodingException(String.valueOf(e.getMessage()), flags, e.getCause());
            }
        }
    }

    private record OfOneType<T>(CompatibleTranscoder any, Class<T> type) implements Transcoder<T>, UsedFlags {

        @Override
        public int usedFlags() {
            return any.usedFlags();
        }

        @Override
        public EncodedValue encode(T value) {
            return any.encode(type.cast(value));
        }

        @Override
        public T decode(byte[] data, int flags) {
            Object value = any.decode(data, flags);
            Object wanted = type == Instant.class && value instanceof Date date ? date.toInstant() : value;
            if (!type.isInstance(wanted)) {
                throw new MemcachedDecodingException(
                        "the value is a " + value.getClass().getName() + " and not a " + type.getName(), flags, null);
            }
            return type.cast(wanted);
        }
    }
}
