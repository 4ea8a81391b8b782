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
 * Gives back the claim on a stale item that a plain read has won unasked. Otherwise nobody would load the item until
 * its time to live ends, because the server lets one caller win.
 *
 * <p>It takes two of these. The first looks whether the item is still stale. If so, the second marks it as stale once
 * more, unless it was stored meanwhile. The server then lets the next caller win. The time to live stays as it is. If
 * the item was marked and won again meanwhile, its winner's value is not stored, and the next caller loads once more.
 *
 * <p>Protocol: {@code mg <key> c\r\n}, then {@code md <key> I C<cas unique>\r\n}; protocol.txt, sections "Meta Get" and
 * "Meta Delete".
 */
public final class MetaRelease extends StatusCommand<StoreStatus> {

    /**
     * Delay of the release if the caller has read the cas unique too. The caller may be about to store with it, and the
     * release gives the item another one.
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

    /** The cas unique that the item must still have; 0 to look for it first. */
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
     * Gives back the claim on the item under {@code key}.
     *
     * @param isBinary whether the key is in base64
     */
    static MetaRelease of(String key, boolean isBinary, long delayNanos) {
        return new MetaRelease(key, isBinary, delayNanos, 0);
    }

    /** Returns the delay before the command is sent. */
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
            // Not every version repeats the flags of a miss.
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
                // Who has won it does not matter.
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
