// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Buffer into which commands encode themselves. Threading: only for the thread that writes requests. */
public final class RequestBuffer {

    private static final int INITIAL_BYTES = 8 * 1024;

    /** Minimum length, in bytes, of a data block that is not copied. */
    private static final int BLOCK_BYTES = 4 * 1024;

    private static final int MAX_DIGITS = 20;

    private final int packetBytes;

    /** Data block that is sent after the first {@code at} bytes of {@link #array}. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Block(byte[] bytes, int at) {}

    private byte[] array = new byte[INITIAL_BYTES];
    private int used;
    private int drained;
    private final ArrayDeque<Block> blocks = new ArrayDeque<>(0);
    private int drainedOfBlock;
    private int blockBytes;
    private final List<Integer> cuts = new ArrayList<>(0);
    private int lastEnd;

    public RequestBuffer() {
        this(0);
    }

    /** Creates a buffer with packets of at most {@code packetBytes}; with 0, there is one packet. */
    public RequestBuffer(int packetBytes) {
        this.packetBytes = packetBytes;
    }

    public int length() {
        return used + blockBytes;
    }

    public void clear() {
        used = 0;
        drained = 0;
        blocks.clear();
        drainedOfBlock = 0;
        blockBytes = 0;
        cuts.clear();
        lastEnd = 0;
    }

    public void endRequest() {
        if (packetBytes > 0) {
            int lastCut = cuts.isEmpty() ? 0 : cuts.get(cuts.size() - 1);
            if (length() - lastCut > packetBytes && lastEnd > lastCut) {
                cuts.add(lastEnd);
            }
            lastEnd = length();
        }
    }

    /** Returns the end position of each packet except the last packet. */
    public List<Integer> cuts() {
        return cuts;
    }

    public void drainTo(ByteBuffer to) {
        while (to.hasRemaining() && hasUndrained()) {
            Block block = blocks.peek();
            int end = block == null ? used : block.at;
            if (drained < end) {
                int portion = Math.min(to.remaining(), end - drained);
                to.put(array, drained, portion);
                drained += portion;
            } else if (block != null) {
                int portion = Math.min(to.remaining(), block.bytes.length - drainedOfBlock);
                to.put(block.bytes, drainedOfBlock, portion);
                drainedOfBlock += portion;
                if (drainedOfBlock == block.bytes.length) {
                    blocks.remove();
                    drainedOfBlock = 0;
                }
            }
        }
    }

    public boolean hasUndrained() {
        return drained < used || !blocks.isEmpty();
    }

    public byte[] drain() {
        int left = used - drained - drainedOfBlock;
        for (Block block : blocks) {
            left += block.bytes.length;
        }
        byte[] rest = new byte[left];
        drainTo(ByteBuffer.wrap(rest));
        return rest;
    }

    /** Appends {@code bytes}, which must not change before the buffer is drained. */
    public RequestBuffer append(byte[] bytes) {
        if (bytes.length >= BLOCK_BYTES) {
            Math.addExact(length(), bytes.length);
            blocks.add(new Block(bytes, used));
            blockBytes += bytes.length;
            return this;
        }
        ensureFree(bytes.length);
        System.arraycopy(bytes, 0, array, used, bytes.length);
        used += bytes.length;
        return this;
    }

    public RequestBuffer append(char ascii) {
        ensureFree(1);
        array[used++] = (byte) ascii;
        return this;
    }

    public RequestBuffer append(String ascii) {
        return appendKey(ascii, ascii.length());
    }

    @SuppressWarnings("deprecation") // String.getBytes(int, int, byte[], int): exact for ASCII, no copy.
    public RequestBuffer appendKey(String key, int keyBytes) {
        if (keyBytes != key.length()) {
            return append(key.getBytes(StandardCharsets.UTF_8));
        }
        ensureFree(keyBytes);
        key.getBytes(0, keyBytes, array, used);
        used += keyBytes;
        return this;
    }

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
        for (int at = used + digits - 1; at >= used; at--) {
            array[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        used += digits;
        return this;
    }

    public RequestBuffer endLine() {
        ensureFree(2);
        array[used++] = '\r';
        array[used++] = '\n';
        return this;
    }

    private void ensureFree(int bytes) {
        if (array.length - used < bytes) {
            int wanted = Math.addExact(used, bytes);
            array = Arrays.copyOf(array, Math.max(wanted, (int) Math.min(array.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }
}
