// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The buffer into which commands encode themselves: a byte array that grows, and can be cut between requests.
 *
 * <p>Threading: confined to the connection's writer.
 */
public final class RequestBuffer {

    private static final int INITIAL_BYTES = 8 * 1024;

    /** A longer array is dropped after use, so that it does not stay because of one large value. */
    private static final int KEPT_BYTES = 256 * 1024;

    private static final int MAX_DIGITS = 20;

    /** The longest packet of more than one request; 0 if there is only one packet. */
    private final int packetBytes;

    private byte[] array = new byte[INITIAL_BYTES];
    private int length;

    /** The ends of all packets but the last, which ends with the buffer. */
    private int[] cuts = {};

    private int cutCount;
    private int lastEnd;

    /** Creates a buffer whose content is one packet. */
    public RequestBuffer() {
        this(0);
    }

    /**
     * Creates a buffer that is cut into packets of whole requests.
     *
     * @param packetBytes the longest packet of more than one request; 0 for one packet only
     */
    public RequestBuffer(int packetBytes) {
        this.packetBytes = packetBytes;
    }

    /** Returns the array whose first {@link #length()} bytes are the encoded bytes; valid until the next write. */
    public byte[] array() {
        return array;
    }

    /** Returns the number of encoded bytes. */
    public int length() {
        return length;
    }

    /** Empties the buffer. */
    public void clear() {
        length = 0;
        cutCount = 0;
        lastEnd = 0;
        if (array.length > KEPT_BYTES) {
            array = new byte[INITIAL_BYTES];
        }
    }

    /** Marks the end of a request, where a packet may end. */
    public void endRequest() {
        if (packetBytes > 0) {
            if (length - lastCut() > packetBytes) {
                cut(lastEnd);
            }
            if (length - lastCut() > packetBytes) {
                cut(length);
            }
            lastEnd = length;
        }
    }

    private int lastCut() {
        return cutCount == 0 ? 0 : cuts[cutCount - 1];
    }

    private void cut(int at) {
        if (at > lastCut()) {
            if (cutCount == cuts.length) {
                cuts = Arrays.copyOf(cuts, cutCount + 16);
            }
            cuts[cutCount++] = at;
        }
    }

    /** Returns the number of packets that the content is cut into; none of them is empty. */
    public int packets() {
        return lastCut() < length ? cutCount + 1 : cutCount;
    }

    /** Returns the index at which a packet ends and the next begins. */
    public int packetEnd(int packet) {
        return packet < cutCount ? cuts[packet] : length;
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
            // With room for the end of a data block, so that a large one is not followed by twice as much.
            int wanted = Math.addExact(length, Math.addExact(bytes, 2));
            array = Arrays.copyOf(array, Math.max(wanted, (int) Math.min(array.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }
}
