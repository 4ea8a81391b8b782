// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Request and decoder of its reply, each used once (protocol.txt, sections "Error strings" and "Meta Commands").
 *
 * <p>Threading: the connection's writer calls {@link #encode}, its reader {@link #decode}, and the caller
 * {@link #result}. The connection makes the writes of each of these threads visible to the next thread.
 */
public abstract class Command<T> {

    private static final byte[] SERVER_ERROR = "SERVER_ERROR".getBytes(US_ASCII);
    private static final byte[] CLIENT_ERROR = "CLIENT_ERROR".getBytes(US_ASCII);
    private static final byte[] ERROR = "ERROR".getBytes(US_ASCII);
    private static final byte[] TOO_LARGE = "SERVER_ERROR object too large for cache".getBytes(US_ASCII);
    private static final byte[] BAD_CHUNK = "CLIENT_ERROR bad data chunk".getBytes(US_ASCII);
    private static final byte[] TOO_LONG = "CLIENT_ERROR line too long".getBytes(US_ASCII);
    private static final byte[] SERVER_FULL = MalformedReplyException.SERVER_FULL.getBytes(US_ASCII);

    private final @Nullable String key;
    private final int keyBytes;
    private @Nullable ErrorReply errorReply;

    protected Command() {
        this(null);
    }

    protected Command(@Nullable String key) {
        this.keyBytes = key == null ? 0 : KeyRule.checkLength(key);
        this.key = key;
    }

    public abstract String verb();

    /** Returns the API operation that sends this command, such as {@code getAndTouch}. */
    public String operation() {
        return verb();
    }

    public @Nullable String key() {
        return key;
    }

    public int keyCount() {
        return key == null ? 0 : 1;
    }

    /** Estimates the memory, in bytes, for data blocks or many keys while the command is in flight. */
    public long requestBytes() {
        return 0;
    }

    /** Returns commands that give back claims (rights to load a value) that the server granted unasked. */
    public List<MetaRelease> releases() {
        return List.of();
    }

    /** Returns a new command with the same request; null if the command is never sent again. */
    public @Nullable Command<T> again() {
        return null;
    }

    @SuppressWarnings("unchecked") // A command has one type of result.
    public @Nullable ReadCommand<T> asRead() {
        return this instanceof ReadCommand<?> read ? (ReadCommand<T>) read : null;
    }

    public final @Nullable ItemsCommand<T> asItems() {
        return this instanceof ItemsCommand<T> items ? items : null;
    }

    /** Appends the request. The reply must repeat {@code opaque}, a number of up to 20 bits. */
    public abstract void encode(RequestBuffer out, int opaque);

    /** Decodes the bytes of the reply that have arrived. Returns whether the reply is complete. */
    public abstract boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException;

    public abstract T result();

    public Command<T> classicForm() throws NoClassicFormException {
        return this;
    }

    final NoClassicFormException noClassicForm() {
        return new NoClassicFormException(operation()
                + " needs memcached 1.6.10 or later; a proxy in front of it must support the meta protocol");
    }

    final RequestBuffer appendKey(RequestBuffer out) {
        return out.appendKey(Objects.requireNonNull(key), keyBytes);
    }

    static void endWithOpaque(RequestBuffer out, int opaque) {
        out.append(" O").appendUnsigned(opaque).endLine();
    }

    /** Returns the opaque of a part; a changed byte never makes it the opaque of another part. */
    static int opaqueOf(int part, int opaque) {
        return ((part + 1) << 24) | opaque;
    }

    final void checkOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!hasOpaqueAmongFlags(in, opaque)) {
            throw in.malformed("the server sent a reply without its opaque");
        }
    }

    final boolean hasOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean opaqueSeen = false;
        while (in.nextToken()) {
            byte letter = in.tokenLetter();
            if (letter != 'O') {
                readFlag(letter, in);
            } else if (in.flagNumber() == opaque) {
                opaqueSeen = true;
            } else {
                throw in.malformed("the server sent a reply to another request (opaque " + opaque + " expected)");
            }
        }
        return opaqueSeen;
    }

    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {}

    public final @Nullable ErrorReply errorReply() {
        return errorReply;
    }

    final void fail(ErrorReply error) {
        errorReply = error;
    }

    /** Fails an unconditional store that was refused. Only proxies refuse one. */
    final void failRefused(StoreStatus status) {
        fail(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, status.toString()));
    }

    final boolean takeError(ReplyBuffer in) throws MalformedReplyException {
        errorReply = errorIn(in);
        return errorReply != null;
    }

    final void takeErrorOrReject(ReplyBuffer in) throws MalformedReplyException {
        errorReply = errorOrReject(in);
    }

    final ErrorReply errorOrReject(ReplyBuffer in) throws MalformedReplyException {
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("the server sent a line that is not a reply to " + verb());
        }
        return error;
    }

    final @Nullable ErrorReply errorIn(ReplyBuffer in) throws MalformedReplyException {
        if (in.lineStartsWith(TOO_LARGE)) {
            return new ErrorReply(ErrorReply.Kind.VALUE_TOO_LARGE, in.errorText());
        }
        if (in.isFirstToken(SERVER_ERROR)) {
            return new ErrorReply(ErrorReply.Kind.SERVER_ERROR, in.errorText());
        }
        boolean clientError = in.isFirstToken(CLIENT_ERROR);
        if (!clientError && !in.lineStartsWith(ERROR)) {
            return null;
        }
        // A server that rejects a data block or a part of a line may read the rest as commands.
        if (in.lineStartsWith(BAD_CHUNK)
                || in.lineStartsWith(TOO_LONG)
                || in.lineStartsWith(SERVER_FULL)
                || hasDataBlock()) {
            throw in.malformed("the server sent an error after which the connection cannot be trusted");
        }
        return new ErrorReply(ErrorReply.Kind.SERVER_ERROR, in.errorText());
    }

    boolean hasDataBlock() {
        return false;
    }
}
