// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Classic {@code get} or {@code gets}. A {@code touch} before it sets a time to live, because {@code gat} needs
 * memcached 1.5.3 and makes twemproxy close the connection.
 */
@SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
class ClassicGet<T> extends Command<@Nullable T> implements ReadCommand<@Nullable T> {

    private static final byte[] VALUE = "VALUE".getBytes(US_ASCII);
    private static final byte[] END = "END".getBytes(US_ASCII);
    private static final byte[] TOUCHED = "TOUCHED".getBytes(US_ASCII);
    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    private final boolean withCas;
    private final int exptime;
    private final MetaGet.Hit<T> hit;
    private int touches;
    private int left;
    private byte @Nullable [] data;
    private int clientFlags;
    private long casUnique;

    ClassicGet(String key, boolean withCas, int exptime, MetaGet.Hit<T> hit) {
        this(key, 1, withCas, exptime, hit);
    }

    ClassicGet(String key, int items, boolean withCas, int exptime, MetaGet.Hit<T> hit) {
        super(key);
        this.withCas = withCas;
        this.exptime = exptime;
        this.hit = hit;
        left = items;
        touches = exptime == MetaGet.NO_TOUCH ? 0 : items;
    }

    @Override
    public final String verb() {
        return withCas ? "gets" : "get";
    }

    @Override
    public final void encode(RequestBuffer out, int opaque) {
        for (int i = 0; i < touches; i++) {
            appendKey(out.append("touch "), i);
            out.append(' ').appendUnsigned(exptime).endLine();
        }
        out.append(verb());
        for (int i = 0; i < left; i++) {
            appendKey(out.append(' '), i);
        }
        out.endLine();
    }

    void appendKey(RequestBuffer out, int index) {
        appendKey(out);
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        for (; touches > 0; touches--) {
            if (!in.nextLine()) {
                return false;
            }
            if (!in.lineIs(TOUCHED) && !in.lineIs(NOT_FOUND) && !takeError(in)) {
                throw in.malformed("the server sent a line that is not a reply to touch");
            }
        }
        while (true) {
            if (in.isInBlock()) {
                if (!in.readBlock()) {
                    return false;
                }
                data = in.takeBlock();
                takeItem(data, clientFlags, casUnique);
            }
            if (!in.nextLine()) {
                return false;
            }
            if (left > 0 && in.isFirstToken(VALUE)) {
                beginItem(in);
            } else {
                if (!in.lineIs(END)) {
                    takeErrorOrReject(in);
                }
                return true;
            }
        }
    }

    private void beginItem(ReplyBuffer in) throws MalformedReplyException {
        left--;
        takeKey(in);
        if (!in.nextToken()) {
            throw in.malformed("the server sent a value without flags");
        }
        clientFlags = in.clientFlags(in.tokenNumber());
        if (!in.beginBlock(in.maxValueBytes())) {
            failItem(in.valueTooLarge());
        }
        if (withCas && in.nextToken()) {
            casUnique = in.tokenNumber();
        } else if (withCas) {
            // Hazelcast sends no cas unique.
            failItem(new ErrorReply(
                    ErrorReply.Kind.UNSUPPORTED,
                    "the server sent a value without cas unique, so gets and cas do not work: use get"));
        }
    }

    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        nextKey(in);
        if (!in.tokenIs(Objects.requireNonNull(key()))) {
            throw in.malformed("the server sent a reply to another request (the value of another key)");
        }
    }

    static void nextKey(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("the server sent a value without key");
        }
    }

    /** Handles a complete item; {@code block} is null if the value was too large. */
    void takeItem(byte @Nullable [] block, int flags, long unique) {}

    void failItem(ErrorReply error) {
        fail(error);
    }

    @Override
    public final @Nullable T miss() {
        return null;
    }

    @Override
    public final int hits() {
        return isHit() ? 1 : 0;
    }

    /** Counts a placeholder as a hit only in {@code gets}, so that cas can replace it. */
    private boolean isHit() {
        return data != null && (withCas || !MetaReply.isHeldPlace(data, clientFlags));
    }

    @Override
    public final @Nullable T result() {
        return data != null && isHit() ? hit.result(data, clientFlags, casUnique) : null;
    }
}
