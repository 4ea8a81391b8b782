// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Zstandard (RFC 8878). Only this class uses zstd-jni. */
final class ZstdCodec extends Codec {

    /** Binary logarithm of 8 MiB, the window that each decoder should support (RFC 8878, section 3.1.1.1.2). */
    private static final int USUAL_WINDOW_LOG = 23;

    private static final int LARGEST_WINDOW_LOG = 31;

    /** Throws a {@link LinkageError} if the library or its Java classes are missing. */
    ZstdCodec() {
        super("zstd");
        Native.load();
    }

    @Override
    OutputStream compressTo(OutputStream out) throws IOException {
        return new ZstdOutputStreamNoFinalizer(out).setChecksum(true);
    }

    @Override
    InputStream decompressFrom(byte[] compressed, int maxBytes) throws IOException {
        if (compressed.length == 0) {
            throw new EOFException("the value has no zstd frame");
        }
        int windowLog = Integer.SIZE - Integer.numberOfLeadingZeros(maxBytes - 1);
        return new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(compressed))
                .setLongMax(Math.min(LARGEST_WINDOW_LOG, Math.max(USUAL_WINDOW_LOG, windowLog)));
    }
}
