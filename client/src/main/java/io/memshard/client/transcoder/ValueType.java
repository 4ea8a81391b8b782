// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

record ValueType<T>(Class<T> type, int flags, Function<T, byte[]> writer, Function<byte[], T> reader) {

    byte[] write(Object value) {
        return writer.apply(type.cast(value));
    }

    static ValueType<byte[]> bytes(int flags) {
        return new ValueType<>(byte[].class, flags, Function.identity(), data -> data);
    }

    static <T extends CharSequence> ValueType<T> text(Class<T> type, int flags, Function<String, T> of) {
        return new ValueType<>(
                type,
                flags,
                value -> Utf8Transcoder.bytes(value.toString()),
                data -> of.apply(Utf8Transcoder.text(data, flags)));
    }

    static ValueType<Boolean> truth(int flags, int whenTrue, int whenFalse) {
        return new ValueType<>(
                Boolean.class, flags, value -> new byte[] {(byte) (value ? whenTrue : whenFalse)}, data -> {
                    if (data.length != 1 || (data[0] != whenTrue && data[0] != whenFalse)) {
                        throw mismatch(Boolean.class, data, flags);
                    }
                    return data[0] == whenTrue;
                });
    }

    static ValueType<Byte> oneByte(int flags) {
        return new ValueType<>(Byte.class, flags, value -> new byte[] {value}, data -> {
            if (data.length != 1) {
                throw mismatch(Byte.class, data, flags);
            }
            return data[0];
        });
    }

    private static MemcachedDecodingException mismatch(Class<?> type, byte[] data, int flags) {
        String name = type.getSimpleName();
        return new MemcachedDecodingException(
                "the value is flagged as " + name + ", but its data (length " + data.length + ") is not of this type",
                flags,
                null);
    }

    /** Numbers in big-endian order, written with or without leading zero bytes. Reads accept both forms. */
    record Numbers(int width, boolean dropsZeros) {

        <T> ValueType<T> of(Class<T> type, int flags, ToLongFunction<T> bits, LongFunction<T> ofBits) {
            return new ValueType<>(type, flags, value -> write(bits.applyAsLong(value)), data -> {
                long read = read(data);
                T value = ofBits.apply(read);
                // A short, for example, is stored in the width of an int.
                if (data.length > width || lowest(bits.applyAsLong(value)) != read) {
                    throw mismatch(type, data, flags);
                }
                return value;
            });
        }

        private long lowest(long bits) {
            return width == Long.BYTES ? bits : bits & ((1L << (width * Byte.SIZE)) - 1);
        }

        private byte[] write(long bits) {
            int significant = (Long.SIZE - Long.numberOfLeadingZeros(lowest(bits)) + Byte.SIZE - 1) / Byte.SIZE;
            byte[] data = new byte[dropsZeros ? significant : width];
            long rest = bits;
            for (int i = data.length - 1; i >= 0; i--) {
                data[i] = (byte) rest;
                rest >>>= Byte.SIZE;
            }
            return data;
        }

        private static long read(byte[] data) {
            long bits = 0;
            for (byte b : data) {
                bits = (bits << Byte.SIZE) | (b & 0xff);
            }
            return bits;
        }
    }
}
