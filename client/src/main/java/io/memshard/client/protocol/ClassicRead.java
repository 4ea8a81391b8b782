// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Classic command that reads items by {@code get} or {@code gets}. If the items get a new time to live, a {@code touch}
 * of each key is sent first.
 *
 * <p>The command does not use {@code gat}: memcached supports {@code gat} only since 1.5.3, and twemproxy closes the
 * connection when it receives {@code gat}. So another client may change the item between touch and read.
 *
 * <p>Protocol: the server sends each item as {@code VALUE <key> <flags> <bytes> [<cas unique>]\r\n<data block>\r\n},
 * then {@code END\r\n}; protocol.txt, sections "Retrieval command" and "Touch".
 */
abstract class ClassicRead<T> extends Command<T> {

    private static final byte[] VALUE = "VALUE".getBytes(US_ASCII);
    private static final byte[] END = "END".getBytes(US_ASCII);
    private static final byte[] TOUCHED = "TOUCHED".getBytes(US_ASCII);
    private static final byte[] NOT_FOUND = "NOT_FOUND".getBytes(US_ASCII);

    final boolean withCas;
    private final int exptime;

    /** Number of further replies to {@code touch}. */
    private int touches;

    /** Number of further items that the reply may have. */
    private int left;

    private int clientFlags;
    private long casUnique;

    ClassicRead(String key, int items, boolean withCas, int exptime) {
        super(key);
        this.withCas = withCas;
        this.exptime = exptime;
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

    abstract void appendKey(RequestBuffer out, int index);

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        for (; touches > 0; touches--) {
            if (!in.nextLine()) {
                return false;
            }
            if (!in.lineIs(TOUCHED) && !in.lineIs(NOT_FOUND) && !takeError(in)) {
                throw in.malformed("not a reply to touch");
            }
        }
        while (true) {
            if (in.isInBlock()) {
                if (!in.readBlock()) {
                    return false;
                }
                takeItem(clientFlags, casUnique, in.takeBlock());
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
            throw in.malformed("a value without flags");
        }
        clientFlags = in.clientFlags(in.tokenNumber());
        if (!in.beginBlock(in.maxValueBytes())) {
            failItem(in.valueTooLarge());
        }
        if (withCas) {
            takeCasUnique(in);
        }
    }

    /** Reads the key of an item. Rejects the reply if this command did not request the key. */
    abstract void takeKey(ReplyBuffer in) throws MalformedReplyException;

    static void nextKey(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without key");
        }
    }

    /** Reads the cas unique. Fails only the item if the server sends none, as Hazelcast does. */
    private void takeCasUnique(ReplyBuffer in) throws MalformedReplyException {
        if (in.nextToken()) {
            casUnique = in.tokenNumber();
        } else {
            failItem(new ErrorReply(
                    ErrorReply.Kind.UNSUPPORTED,
                    "the server sends no cas unique with a value: gets and cas do not work, use get"));
        }
    }

    /** Handles an item that is now complete. {@code data} is null if it was skipped because of its size. */
    abstract void takeItem(int flags, long casUnique, byte @Nullable [] data);

    abstract void failItem(ErrorReply error);
}
