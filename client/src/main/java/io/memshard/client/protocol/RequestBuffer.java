package io.memshard.client.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Where commands encode themselves: a byte array that grows.
 *
 * <p>Threading: confined to whoever writes to the connection.
 */
public final class RequestBuffer {

    private static final int INITIAL_BYTES = 8 * 1024;
    /** Above this the array is given up after use, so that one large value does not stay. */
    private static final int KEPT_BYTES = 256 * 1024;

    private static final int MAX_DIGITS = 20;

    private byte[] array = new byte[INITIAL_BYTES];
    private int length;

    /** The encoded bytes are {@code array()[0 .. length())}; valid until the next write. */
    public byte[] array() {
        return array;
    }

    /** How many bytes are encoded. */
    public int length() {
        return length;
    }

    /** Empties the buffer. */
    public void clear() {
        length = 0;
        if (array.length > KEPT_BYTES) {
            array = new byte[INITIAL_BYTES];
        }
    }

    /** Appends {@code bytes}. */
    public RequestBuffer append(byte[] bytes) {
        ensureFree(bytes.length);
        System.arraycopy(bytes, 0, array, length, bytes.length);
        length += bytes.length;
        return this;
    }

    /** Appends one ASCII character. */
    public RequestBuffer append(char ascii) {
        ensureFree(1);
        array[length++] = (byte) ascii;
        return this;
    }

    /** Appends a checked key of {@code keyBytes} bytes in UTF-8. */
    @SuppressWarnings("deprecation") // String.getBytes(int, int, byte[], int): exact for ASCII, no copy.
    public RequestBuffer appendKey(String key, int keyBytes) {
        if (keyBytes != key.length()) {
            return append(key.getBytes(StandardCharsets.UTF_8));
        }
        ensureFree(keyBytes);
        key.getBytes(0, keyBytes, array, length);
        length += keyBytes;
        return this;
    }

    /** Appends {@code number} in decimal, taken as unsigned. */
    public RequestBuffer appendUnsigned(long number) {
        if (number < 0) {
            return append(Long.toUnsignedString(number).getBytes(StandardCharsets.US_ASCII));
        }
        ensureFree(MAX_DIGITS);
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            array[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /** Appends the end of a line. */
    public RequestBuffer endLine() {
        ensureFree(2);
        array[length++] = '\r';
        array[length++] = '\n';
        return this;
    }

    private void ensureFree(int bytes) {
        if (array.length - length < bytes) {
            int wanted = Math.addExact(length, bytes);
            array = Arrays.copyOf(array, Math.max(wanted, (int) Math.min(array.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }
}
