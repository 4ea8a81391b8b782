// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Command that releases the claim on a stale item that a plain read has won without requesting a claim. Otherwise no
 * caller would load the item until its time to live ends, because the server lets only one caller win.
 *
 * <p>A release takes two of these commands. The first one checks whether the item is still stale. If it is, the second
 * one marks the item as stale again, unless the item was stored meanwhile. The server then lets the next caller win.
 * The time to live does not change. If the item was also invalidated and won by another caller meanwhile, that winner's
 * value is not stored. The next caller then loads the value again.
 *
 * <p>Protocol: {@code mg <key> c\r\n}, then {@code md <key> I C<cas unique>\r\n}; protocol.txt, sections "Meta Get" and
 * "Meta Delete".
 */
public final class MetaRelease extends StatusCommand<StoreStatus> {

    /**
     * Delay of the release, in nanoseconds, if the caller has also read the cas unique. The caller may be about to
     * store with this cas unique, and the release gives the item a new one.
     */
    static final long CAS_DELAY_NANOS = 1_000_000_000;

    private static final byte[] GET = "mg ".getBytes(US_ASCII);
    private static final byte[] DELETE = "md ".getBytes(US_ASCII);
    private static final byte[] BINARY = " b".getBytes(US_ASCII);
    private static final byte[] RETURN_CAS = " c".getBytes(US_ASCII);
    private static final byte[] INVALIDATE_CAS = " I C".getBytes(US_ASCII);
    private static final int MISS = ReplyBuffer.code('E', 'N');

    private final boolean isBinary;
    private final long delayNanos;

    /** Cas unique that the item must still have; 0 in the first command, which reads it. */
    private final long casUnique;

    private boolean isStale;
    private long seenCas;

    private MetaRelease(String key, boolean isBinary, long delayNanos, long casUnique) {
        super(key, Function.identity());
        this.isBinary = isBinary;
        this.delayNanos = delayNanos;
        this.casUnique = casUnique;
    }

    /**
     * Returns the first command that releases the claim on the item under {@code key}.
     *
     * @param isBinary whether the key is in base64
     */
    static MetaRelease of(String key, boolean isBinary, long delayNanos) {
        return new MetaRelease(key, isBinary, delayNanos, 0);
    }

    /** Returns the delay before the command is sent, in nanoseconds. */
    public long delayNanos() {
        return delayNanos;
    }

    @Override
    public String verb() {
        return casUnique == 0 ? "mg" : "md";
    }

    @Override
    public Command<StoreStatus> classicForm() throws NoClassicFormException {
        throw noClassicForm();
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        appendKey(out.append(casUnique == 0 ? GET : DELETE));
        if (isBinary) {
            out.append(BINARY);
        }
        if (casUnique == 0) {
            out.append(RETURN_CAS);
        } else {
            out.append(INVALIDATE_CAS).appendUnsigned(casUnique);
        }
        endWithOpaque(out, opaque);
    }

    @Override
    @Nullable
    StoreStatus statusIn(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (casUnique == 0 && in.code() == MISS) {
            // Not every memcached version repeats the flags in a miss.
            hasOpaqueAmongFlags(in, opaque);
            return StoreStatus.NOT_FOUND;
        }
        return super.statusIn(in, opaque);
    }

    @Override
    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {
        switch (letter) {
            case 'c' -> seenCas = in.flagNumber();
            case 'X' -> isStale = true;
            default -> {
                // The other flags only say who has won the item, which does not matter.
            }
        }
    }

    @Override
    public List<MetaRelease> releases() {
        return casUnique == 0 && isStale && seenCas != 0
                ? List.of(new MetaRelease(key(), isBinary, 0, seenCas))
                : List.of();
    }
}
