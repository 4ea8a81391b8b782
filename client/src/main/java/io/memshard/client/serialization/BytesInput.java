// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.serialization;

import java.io.InputStream;
import java.util.Objects;

/**
 * The bytes of an array. {@link java.io.ByteArrayInputStream} takes a lock for each byte, of which Java deserialization
 * reads many one by one.
 *
 * <p>Threading: confined to the thread that reads.
 */
final class BytesInput extends InputStream {

    private final byte[] bytes;
    private int position;

    BytesInput(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return position == bytes.length ? -1 : Byte.toUnsignedInt(bytes[position++]);
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        int count = Math.min(length, available());
        if (count == 0 && length > 0) {
            return -1;
        }
        System.arraycopy(bytes, position, into, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return bytes.length - position;
    }
}
