// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;

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
abstract class ClassicRead<T> extends ValueCommand<T> {

    private static final byte[] GET = "get ".getBytes(US_ASCII);
    private static final byte[] GETS = "gets ".getBytes(US_ASCII);
    private static final byte[] VALUE = "VALUE".getBytes(US_ASCII);
    private static final byte[] END = "END".getBytes(US_ASCII);

    private final boolean withCas;
    private final List<ClassicStatus<StoreStatus>> touches;
    private int touched;

    /** Number of further items that the reply may have. */
    private int left;

    private int clientFlags;
    private long casUnique;

    ClassicRead(String key, int items, boolean withCas, List<ClassicStatus<StoreStatus>> touches) {
        super(key);
        this.withCas = withCas;
        this.touches = touches;
        left = items;
    }

    static ClassicStatus<StoreStatus> touch(String key, int exptime) {
        return ClassicStatus.touch(key, exptime, status -> status);
    }

    @Override
    public String verb() {
        return withCas ? "gets" : "get";
    }

    @Override
    public final void encode(RequestBuffer out, int opaque) {
        touches.forEach(touch -> touch.encode(out, opaque));
        appendKeys(out.append(request()));
        out.endLine();
    }

    byte[] request() {
        return withCas ? GETS : GET;
    }

    void appendKeys(RequestBuffer out) {
        appendKey(out);
    }

    @Override
    public final Command<T> classicForm() {
        return this;
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return decodeTouches(in, opaque) && decodeItems(in);
    }

    private boolean decodeTouches(ReplyBuffer in, int opaque) throws MalformedReplyException {
        for (; touched < touches.size(); touched++) {
            ClassicStatus<StoreStatus> touch = touches.get(touched);
            if (!touch.decode(in, opaque)) {
                return false;
            }
            ErrorReply error = touch.errorReply();
            if (error != null) {
                fail(error.kind(), error.text());
            }
        }
        return true;
    }

    private boolean decodeItems(ReplyBuffer in) throws MalformedReplyException {
        while (true) {
            if (isInBlock()) {
                if (!readBlock(in)) {
                    return false;
                }
                endItem();
            }
            if (!in.nextLine()) {
                return false;
            }
            if (left > 0 && in.isFirstToken(itemWord())) {
                beginItem(in);
            } else if (in.lineIs(END) || (mayFail() && takeError(in))) {
                return true;
            } else {
                throw in.malformed("not a reply to " + verb());
            }
        }
    }

    /** Returns whether the current line may be an error. */
    boolean mayFail() {
        return true;
    }

    byte[] itemWord() {
        return VALUE;
    }

    private void beginItem(ReplyBuffer in) throws MalformedReplyException {
        left--;
        takeKey(in);
        if (!in.nextToken()) {
            throw in.malformed("a value without flags");
        }
        clientFlags = checkFlags(in.tokenNumber(), in);
        beginBlock(in);
        if (withCas) {
            takeCasUnique(in);
        }
    }

    /** Reads the key of an item. Fails if this command did not request the key. */
    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        nextKey(in);
        if (!in.tokenIs(key())) {
            throw in.malformed("a reply to another request (the value of another key)");
        }
    }

    static void nextKey(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without key");
        }
    }

    /** Reads the cas unique. Fails only this command if the server sends none, as Hazelcast does. */
    private void takeCasUnique(ReplyBuffer in) throws MalformedReplyException {
        if (in.nextToken()) {
            casUnique = in.tokenNumber();
            return;
        }
        fail(
                ErrorReply.Kind.UNSUPPORTED,
                "the server sends no cas unique with a value: gets and cas do not work, use get");
        casUnique = MetaSet.ANY_CAS;
    }

    /** Handles the item whose data block is now complete. */
    void endItem() {}

    final boolean isWithCas() {
        return withCas;
    }

    final int clientFlags() {
        return clientFlags;
    }

    final long casUnique() {
        return casUnique;
    }
}
