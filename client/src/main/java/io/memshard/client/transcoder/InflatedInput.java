// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompressed bytes of a value in zlib, or in one or more consecutive gzip members.
 *
 * <p>{@link java.util.zip.GZIPInputStream} calls itself for each empty member until the stack overflows. It also does
 * not free an inflater's native memory if the first header is damaged. This class avoids both, and rejects bytes after
 * the last member.
 *
 * <p>Protocol: RFC 1950, RFC 1952.
 *
 * <p>Threading: confined to the thread that reads. {@link #close} frees the native memory.
 */
final class InflatedInput extends InputStream {

    private static final int MAGIC = 0x8b1f;
    private static final int DEFLATED = 8;
    private static final int HAS_HEADER_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xe0;
    private static final int TIME_AND_SYSTEM_BYTES = 6;

    private final byte[] compressed;
    private final boolean isGzip;
    private final Inflater inflater;
    private final CRC32 crc = new CRC32();

    /** Position of the next header or trailer. */
    private int position;

    private boolean isInMember;

    private InflatedInput(byte[] compressed, boolean isGzip) {
        this.compressed = compressed;
        this.isGzip = isGzip;
        this.inflater = new Inflater(isGzip);
    }

    static InputStream gzip(byte[] compressed) {
        return new InflatedInput(compressed, true);
    }

    static InputStream zlib(byte[] compressed) {
        return new InflatedInput(compressed, false);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        while (isInMember || beginMember()) {
            int inflated = inflate(target, offset, length);
            if (inflated > 0) {
                crc.update(target, offset, inflated);
                return inflated;
            }
            if (inflater.finished()) {
                endMember();
            } else if (inflater.needsDictionary()) {
                throw new ZipException("needs a dictionary");
            } else {
                throw new EOFException("ends too early");
            }
        }
        return -1;
    }

    private int inflate(byte[] target, int offset, int length) throws ZipException {
        try {
            return inflater.inflate(target, offset, length);
        } catch (DataFormatException e) {
            throw new ZipException(e.getMessage());
        }
    }

    /** Begins the next member. Returns false if none follows. */
    private boolean beginMember() throws IOException {
        if (position > 0 && position == compressed.length) {
            return false;
        }
        if (isGzip) {
            readHeader();
        } else if (position > 0) {
            throw new ZipException("bytes follow the end");
        }
        crc.reset();
        inflater.reset();
        inflater.setInput(compressed, position, compressed.length - position);
        isInMember = true;
        return true;
    }

    private void readHeader() throws IOException {
        int start = position;
        if (next(2) != MAGIC || next(1) != DEFLATED) {
            throw new ZipException("does not start like gzip");
        }
        int flags = next(1);
        if ((flags & RESERVED) != 0) {
            throw new ZipException("header has unknown flags");
        }
        skip(TIME_AND_SYSTEM_BYTES);
        if ((flags & HAS_EXTRA) != 0) {
            skip(next(2));
        }
        if ((flags & HAS_NAME) != 0) {
            skipText();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipText();
        }
        if ((flags & HAS_HEADER_CHECKSUM) != 0) {
            crc.reset();
            crc.update(compressed, start, position - start);
            if (next(2) != (crc.getValue() & 0xffff)) {
                throw new ZipException("header has a wrong checksum");
            }
        }
    }

    private void endMember() throws IOException {
        isInMember = false;
        position = compressed.length - inflater.getRemaining();
        if (isGzip && (next(4) != (int) crc.getValue() || next(4) != (int) inflater.getBytesWritten())) {
            throw new ZipException("wrong checksum or length");
        }
    }

    private void skipText() throws EOFException {
        while (next(1) != 0) {
            // A zero ends the text.
        }
    }

    private void skip(int bytes) throws EOFException {
        if (bytes > compressed.length - position) {
            throw new EOFException("ends too early");
        }
        position += bytes;
    }

    /** Returns the next bytes as a little-endian number. */
    private int next(int bytes) throws EOFException {
        skip(bytes);
        int number = 0;
        for (int i = 1; i <= bytes; i++) {
            number = number << Byte.SIZE | Byte.toUnsignedInt(compressed[position - i]);
        }
        return number;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
