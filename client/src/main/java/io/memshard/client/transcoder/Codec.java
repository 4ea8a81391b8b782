package io.memshard.client.transcoder;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A compressed format.
 *
 * <p>Threading: stateless.
 */
abstract class Codec {

    /** RFC 1952. */
    static final Codec GZIP = new Codec("gzip") {
        @Override
        OutputStream compressing(OutputStream out) throws IOException {
            return new GZIPOutputStream(out);
        }

        @Override
        InputStream decompressing(InputStream in, int maxBytes) throws IOException {
            return new GZIPInputStream(in);
        }
    };

    /** RFC 1950. */
    static final Codec ZLIB = new Codec("zlib") {
        @Override
        OutputStream compressing(OutputStream out) {
            return new DeflaterOutputStream(out);
        }

        @Override
        InputStream decompressing(InputStream in, int maxBytes) {
            return new InflaterInputStream(in);
        }
    };

    private final String name;

    Codec(String name) {
        this.name = name;
    }

    /** A stream that writes what it is given to {@code out}, compressed. */
    abstract OutputStream compressing(OutputStream out) throws IOException;

    /**
     * A stream of what is compressed in {@code in}, of which at most a little more than {@code maxBytes}
     * are going to be read.
     */
    abstract InputStream decompressing(InputStream in, int maxBytes) throws IOException;

    final byte[] compress(byte[] data) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(data.length / 2);
        try (OutputStream out = compressing(compressed)) {
            out.write(data);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " failed in memory", e);
        }
        return compressed.toByteArray();
    }

    /** Decompresses, holding no more than {@code maxBytes} and a buffer. */
    final byte[] decompress(byte[] compressed, int maxBytes) throws UnreadableValueException {
        byte[] data;
        try (InputStream in = decompressing(new ByteArrayInputStream(compressed), maxBytes)) {
            data = in.readNBytes(maxBytes);
            if (data.length == maxBytes && in.read() >= 0) {
                throw new UnreadableValueException("the value is " + name + " of more than " + maxBytes
                        + " bytes, the limit of Compression.maxBytes");
            }
        } catch (IOException e) {
            throw new UnreadableValueException("the value is flagged as " + name + " and is none, or is damaged", e);
        }
        return data;
    }
}
