// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;

/**
 * Classic command that reads items: {@code get} or {@code gets}, after a {@code touch} of each key if the items get a
 * new time to live.
 *
 * <p>The command does not use {@code gat}: memcached supports it only since 1.5.3, and twemproxy closes the connection
 * when it receives one. So touch and read are two steps, and another client may change the item between them.
 *
 * <p>Protocol: each item is replied as {@code VALUE <key> <flags> <bytes> [<cas unique>]\r\n<data block>\r\n}, and
 * {@code END\r\n} follows; protocol.txt, sections "Retrieval command" and "Touch".
 */
abstract class ClassicRead<T> extends ValueCommand<T> {

    private static final byte[] GET = "get ".getBytes(US_ASCII);
    private static final byte[] GETS = "gets ".getBytes(US_ASCII);
    private static final byte[] VALUE = "VALUE".getBytes(US_ASCII);
    private static final byte[] END = "END".getBytes(US_ASCII);

    private final boolean withCas;

    /** Touches that are sent before the read. */
    private final List<ClassicStatus<StoreStatus>> touches;

    /** Number of touches whose replies are decoded. */
    private int touched;

    /** Number of further items that the reply may have. */
    private int left;

    private int clientFlags;
    private long casUnique;

    /**
     * Creates a command that reads items.
     *
     * @param key the key of the first item
     * @param items the number of items
     * @param touches the commands to send before the read
     */
    ClassicRead(String key, int items, boolean withCas, List<ClassicStatus<StoreStatus>> touches) {
        super(key);
        this.withCas = withCas;
        this.touches = touches;
        left = items;
    }

    /** Returns the touch that gives an item a new exptime, in memcached's terms. */
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

    /** Returns the part of the request before the keys; by default the verb and a space. */
    byte[] request() {
        return withCas ? GETS : GET;
    }

    /** Appends the keys, with spaces in between; by default the only one. */
    void appendKeys(RequestBuffer out) {
        appendKey(out);
    }

    /** Returns this command, which is already classic text. */
    @Override
    public final Command<T> classicForm() {
        return this;
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return decodeTouches(in, opaque) && decodeItems(in);
    }

    /**
     * Decodes the replies to the touches, and returns whether all of them are complete. An error in one fails this
     * command too.
     */
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

    /** Returns whether an error may follow now. By default, an error may also follow an item. */
    boolean mayFail() {
        return true;
    }

    /** Returns the word that the line of an item begins with; by default {@code VALUE}. */
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

    /**
     * Takes the key of an item, which is the next token; by default, this is the only key of the command.
     *
     * @throws MalformedReplyException if the key is none that this command still waits for
     */
    void takeKey(ReplyBuffer in) throws MalformedReplyException {
        nextKey(in);
        if (!in.tokenIs(key())) {
            throw in.malformed("a reply to another request (the value of another key)");
        }
    }

    /** Moves to the key, which is the second token of the line. */
    static void nextKey(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without key");
        }
    }

    /**
     * Reads the cas unique after the length. If the server sends none, for example Hazelcast, fails the command. The
     * rest of the reply can still be decoded.
     */
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

    /** Called when the data block of an item is complete. */
    void endItem() {}

    /** Returns whether the command is {@code gets}. */
    final boolean isWithCas() {
        return withCas;
    }

    /** Returns the flags of the latest item. */
    final int clientFlags() {
        return clientFlags;
    }

    /** Returns the cas unique of the latest item. */
    final long casUnique() {
        return casUnique;
    }
}
