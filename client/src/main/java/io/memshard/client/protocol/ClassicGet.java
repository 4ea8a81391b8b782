// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * {@code get} or {@code gets}: the classic form of {@link MetaGet}. A {@code touch} is sent first if the item gets a
 * new time to live.
 *
 * <p>The command does not use {@code gat}: memcached supports it only since 1.5.3, and twemproxy closes the connection
 * when it receives one. So touch and read are two steps, and another client may change the item between them.
 *
 * <p>Protocol: {@code get <key>\r\n}, replied {@code VALUE <key> <flags> <bytes> [<cas unique>]\r\n<data
 * block>\r\nEND\r\n} or {@code END\r\n}; protocol.txt, sections "Retrieval command" and "Touch".
 */
final class ClassicGet<T> extends ValueCommand<@Nullable T> implements ReadCommand<@Nullable T> {

    static final byte[] VALUE = "VALUE".getBytes(US_ASCII);
    static final byte[] END = "END".getBytes(US_ASCII);

    private static final byte[] GET = "get ".getBytes(US_ASCII);
    private static final byte[] GETS = "gets ".getBytes(US_ASCII);

    private final boolean withCas;
    private final MetaGet.Hit<T> hit;

    /** Touch that is sent before the get; null if none is sent, and after its reply is decoded. */
    private @Nullable ClassicTouch<?> touch;

    private boolean found;
    private int clientFlags;
    private long casUnique;

    /**
     * Creates a command that reads the item under {@code key}.
     *
     * @param exptime the item's new exptime in memcached's terms, or {@link MetaGet#NO_TOUCH}
     */
    ClassicGet(String key, boolean withCas, int exptime, MetaGet.Hit<T> hit) {
        super(key);
        this.withCas = withCas;
        this.hit = hit;
        this.touch = exptime == MetaGet.NO_TOUCH ? null : new ClassicTouch<>(key, exptime, status -> status);
    }

    @Override
    public String verb() {
        return withCas ? "gets" : "get";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        if (touch != null) {
            touch.encode(out, opaque);
        }
        appendKey(out.append(withCas ? GETS : GET)).endLine();
    }

    /** Returns this command, which is already classic text. */
    @Override
    public Command<@Nullable T> classicForm() {
        return this;
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return decodeTouch(in, opaque) && decodeGet(in);
    }

    /**
     * Decodes the reply to the touch, and returns whether that reply is complete. An error in it fails this command
     * too.
     */
    private boolean decodeTouch(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (touch == null) {
            return true;
        }
        if (!touch.decode(in, opaque)) {
            return false;
        }
        ErrorReply error = touch.errorReply();
        if (error != null) {
            fail(error.kind(), error.text());
        }
        touch = null;
        return true;
    }

    private boolean decodeGet(ReplyBuffer in) throws MalformedReplyException {
        while (true) {
            if ((isInBlock() && !readBlock(in)) || !in.nextLine()) {
                return false;
            }
            if (in.lineIs(END)) {
                return true;
            }
            if (!found && in.isFirstToken(VALUE)) {
                beginItem(in);
            } else if (takeError(in)) {
                return true;
            } else {
                throw in.malformed("not a reply to " + verb());
            }
        }
    }

    private void beginItem(ReplyBuffer in) throws MalformedReplyException {
        nextKey(in);
        if (!in.tokenIs(key())) {
            throw in.malformed("a reply to another request (the value of another key)");
        }
        found = true;
        clientFlags = nextFlags(in);
        beginBlock(in);
        if (withCas) {
            casUnique = nextCasUnique(in, this);
        }
    }

    /** Moves to the key, which is the second token of the line. */
    static void nextKey(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without key");
        }
    }

    /** Reads the flags after the key. */
    static int nextFlags(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without flags");
        }
        return ValueCommand.checkFlags(in.tokenNumber(), in);
    }

    /**
     * Reads the cas unique after the length. If the server sends none, as Hazelcast does, fails the command {@code
     * gets}. The rest of the reply can still be decoded.
     */
    static long nextCasUnique(ReplyBuffer in, Command<?> gets) throws MalformedReplyException {
        if (in.nextToken()) {
            return in.tokenNumber();
        }
        gets.fail(
                ErrorReply.Kind.UNSUPPORTED,
                "the server sends no cas unique with a value: gets and cas do not work there, use get");
        return MetaSet.ANY_CAS;
    }

    @Override
    public ReadCommand<@Nullable T> asRead() {
        return this;
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T miss() {
        return null;
    }

    @Override
    public int hits() {
        return isHit() ? 1 : 0;
    }

    /**
     * Returns whether the reply is a hit. A placeholder, an empty item for a value that is being loaded, is a hit only
     * for {@code gets}. The caller of {@code gets} may use its cas unique to store a value.
     */
    private boolean isHit() {
        byte[] data = data();
        return data != null && (withCas || !MetaReply.isHeldPlace(data, clientFlags));
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable T result() {
        byte[] data = data();
        return data == null || !isHit() ? null : hit.result(data, clientFlags, casUnique);
    }
}
