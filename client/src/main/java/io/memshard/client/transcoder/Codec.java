// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.exception.MemcachedDecodingException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

abstract class Codec {

    static final Codec GZIP = new Codec("gzip") {
        @Override
        OutputStream compressTo(OutputStream out) throws IOException {
            return new GZIPOutputStream(out);
        }

        @Override
        InputStream decompressFrom(byte[] compressed, int maxBytes) throws IOException {
            checkMembers(compressed);
            return new GZIPInputStream(new ByteArrayInputStream(compressed), compressed.length + 1) {
                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    int read = super.read(target, offset, length);
                    return read < 0 ? checkedEnd(inf.getRemaining() - GZIP_TRAILER_BYTES) : read;
                }
            };
        }

        // The last member, usually the only one, ends with its length.
        @Override
        int announcedBytes(byte[] compressed) {
            return compressed.length < Integer.BYTES
                    ? 0
                    : ByteBuffer.wrap(compressed)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt(compressed.length - Integer.BYTES);
        }
    };

    static final Codec ZLIB = new Codec("zlib") {
        @Override
        OutputStream compressTo(OutputStream out) {
            return new DeflaterOutputStream(out);
        }

        @Override
        InputStream decompressFrom(byte[] compressed, int maxBytes) {
            return new InflaterInputStream(
                    new ByteArrayInputStream(compressed), new Inflater(), compressed.length + 1) {
                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    int read = super.read(target, offset, length);
                    return read < 0 ? checkedEnd(inf.finished() ? inf.getRemaining() : 1) : read;
                }

                @Override
                public void close() {
                    inf.end();
                }
            };
        }
    };

    /** Size up to which a value of unknown length is decompressed in one pass, with twice the memory. */
    private static final int ONE_PASS_BYTES = 64 * 1024;

    /** Maximum number of gzip members. {@link GZIPInputStream} recurses for each empty member. */
    private static final int MAX_MEMBERS = 100;

    private static final int GZIP_TRAILER_BYTES = 8;

    private final String name;

    Codec(String name) {
        this.name = name;
    }

    abstract OutputStream compressTo(OutputStream out) throws IOException;

    /** Returns the decompressed bytes, of which the caller reads little more than {@code maxBytes}. */
    abstract InputStream decompressFrom(byte[] compressed, int maxBytes) throws IOException;

    /** Returns the decompressed length that the value states; zero or less if the length is unknown. */
    int announcedBytes(byte[] compressed) {
        return 0;
    }

    /** Throws if the start of a gzip member, three bytes that are rare inside a member, occurs too often. */
    private static void checkMembers(byte[] compressed) throws ZipException {
        int members = 0;
        for (int i = 2; i < compressed.length; i++) {
            if (compressed[i] == 8 && compressed[i - 1] == (byte) 0x8b && compressed[i - 2] == 0x1f) {
                members++;
            }
        }
        if (members > MAX_MEMBERS) {
            throw new ZipException("the value has " + members + " gzip members, but must have at most " + MAX_MEMBERS);
        }
    }

    /** Returns -1 if no bytes follow the stream; throws otherwise, where the JDK's stream returns -1. */
    private static int checkedEnd(int unreadBytes) throws ZipException {
        if (unreadBytes > 0) {
            throw new ZipException("the compressed data needs a dictionary, or is followed by other bytes");
        }
        return -1;
    }

    final byte[] compress(byte[] data) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(data.length / 2);
        try (OutputStream out = compressTo(compressed)) {
            out.write(data);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " could not compress the value", e);
        }
        return compressed.toByteArray();
    }

    /** Decompresses with at most {@code maxBytes} of memory, plus a constant amount. */
    final byte[] decompress(byte[] compressed, int flags, int maxBytes) {
        try {
            byte[] first;
            int length;
            try (InputStream in = decompressFrom(compressed, maxBytes)) {
                int announced = announcedBytes(compressed);
                first = announced > 0 && announced <= maxBytes
                        ? exactly(announced, in)
                        : in.readNBytes(Math.min(maxBytes, ONE_PASS_BYTES));
                length = first.length + count(in, maxBytes - first.length);
                if (length > maxBytes) {
                    throw new MemcachedDecodingException(
                            "the value compressed with " + name + " expands to more than " + maxBytes
                                    + " bytes, the limit of Compression.maxBytes",
                            flags,
                            null);
                }
            }
            if (length == first.length) {
                return first;
            }
            // Keeping all bytes of the first pass would need twice the memory.
            try (InputStream in = decompressFrom(compressed, maxBytes)) {
                return exactly(length, in);
            }
        } catch (IOException e) {
            throw new MemcachedDecodingException(
                    "the value is flagged as " + name + ", but is damaged or has another format", flags, e);
        }
    }

    private static byte[] exactly(int length, InputStream in) throws IOException {
        byte[] data = new byte[length];
        if (in.readNBytes(data, 0, length) < length) {
            throw new EOFException("the data is shorter than its announced length");
        }
        return data;
    }

    /** Returns the number of remaining bytes, or any number above {@code most} if there are more. */
    private static int count(InputStream in, int most) throws IOException {
        int one = in.read();
        if (one < 0) {
            return 0;
        }
        byte[] dropped = new byte[8192];
        int count = 1;
        for (int read = 0; read >= 0 && count <= most; read = in.read(dropped)) {
            count += read;
        }
        return count;
    }

    @Override
    public final String toString() {
        return name;
    }
}
