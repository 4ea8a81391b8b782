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
        OutputStream compressTo(OutputStream out) throws IOException {
            return new GZIPOutputStream(out);
        }

        @Override
        InputStream decompressFrom(InputStream in, int maxBytes) throws IOException {
            return new GZIPInputStream(in);
        }
    };

    /** RFC 1950. */
    static final Codec ZLIB = new Codec("zlib") {
        @Override
        OutputStream compressTo(OutputStream out) {
            return new DeflaterOutputStream(out);
        }

        @Override
        InputStream decompressFrom(InputStream in, int maxBytes) {
            return new InflaterInputStream(in);
        }
    };

    private final String name;

    Codec(String name) {
        this.name = name;
    }

    /** A stream that writes its bytes to {@code out}, compressed. */
    abstract OutputStream compressTo(OutputStream out) throws IOException;

    /**
     * A stream of the bytes that {@code in} holds compressed. At most a little more than {@code maxBytes} of them will
     * be read.
     */
    abstract InputStream decompressFrom(InputStream in, int maxBytes) throws IOException;

    final byte[] compress(byte[] data) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(data.length / 2);
        try (OutputStream out = compressTo(compressed)) {
            out.write(data);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " failed in memory", e);
        }
        return compressed.toByteArray();
    }

    /** Decompresses with no more memory than {@code maxBytes} and a buffer. */
    final byte[] decompress(byte[] compressed, int maxBytes) throws UnreadableValueException {
        byte[] data;
        try (InputStream in = decompressFrom(new ByteArrayInputStream(compressed), maxBytes)) {
            data = in.readNBytes(maxBytes);
            if (data.length == maxBytes && in.read() >= 0) {
                throw new UnreadableValueException("the value is " + name + " of more than " + maxBytes
                        + " bytes, the limit of Compression.maxBytes");
            }
        } catch (IOException e) {
            throw new UnreadableValueException("the value is flagged as " + name + " but is not, or is damaged", e);
        }
        return data;
    }
}
