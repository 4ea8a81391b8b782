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
 * Command that encodes itself, and decodes its own reply from bytes that arrive in portions of any size.
 *
 * <p>A command is used once: {@link #encode} at most once, {@link #decode} until it returns true, then {@link
 * #errorReply} and {@link #result}.
 *
 * <p>Threading: the connection's writer encodes the command, the connection's reader decodes its reply, and the caller
 * takes the result. The connection passes the command on so that each of these threads sees the writes of the previous
 * one.
 *
 * <p>Protocol: protocol.txt, sections "Error strings" for {@link #errorReply} and "Meta Commands" for the opaque. A
 * meta request carries the opaque, and each reply with flags must repeat it.
 *
 * @param <T> the result of a reply that is not an error
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

    /** Creates a command with a key, which is checked; null for none. */
    protected Command(@Nullable String key) {
        this.keyBytes = key == null ? 0 : KeyRule.checkLength(key);
        this.key = key;
    }

    /** Returns the verb as it is sent, such as {@code mg}. */
    public abstract String verb();

    /** Returns the API operation that sends this command, such as {@code getAndTouch}; by default the verb. */
    public String operation() {
        return verb();
    }

    /** Returns the key that decides which server gets the command; null for a command without a key. */
    public @Nullable String key() {
        return key;
    }

    public int keyCount() {
        return key == null ? 0 : 1;
    }

    /** Estimates the memory, in bytes, that data blocks and many keys take while the command is in flight. */
    public long requestBytes() {
        return 0;
    }

    /** Returns the commands that release claims which the reply has granted, although none was requested. */
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

    /** Returns the result of a complete reply. Call this method only if {@link #errorReply} returns null. */
    public abstract T result();

    /**
     * Returns the equivalent command for a server without meta commands; by default this command, which is classic
     * text. Classic replies carry no opaque, so only their order and the keys of values can be checked.
     */
    public Command<T> classicForm() throws NoClassicFormException {
        return this;
    }

    final NoClassicFormException noClassicForm() {
        return new NoClassicFormException(
                operation() + " needs memcached 1.6.10 or later; a proxy in between must support the meta protocol");
    }

    final RequestBuffer appendKey(RequestBuffer out) {
        return out.appendKey(Objects.requireNonNull(key), keyBytes);
    }

    static void endWithOpaque(RequestBuffer out, int opaque) {
        out.append(" O").appendUnsigned(opaque).endLine();
    }

    /** Returns the opaque of a part of a command. Opaques of its parts differ by more than one digit. */
    static int opaqueOf(int part, int opaque) {
        return ((part + 1) << 24) | opaque;
    }

    final void checkOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!hasOpaqueAmongFlags(in, opaque)) {
            throw in.malformed("a reply without its opaque");
        }
    }

    /** Checks the opaque in the rest of the line, and reads the other flags. Returns whether there is an opaque. */
    final boolean hasOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean opaqueSeen = false;
        while (in.nextToken()) {
            byte letter = in.tokenLetter();
            if (letter != 'O') {
                readFlag(letter, in);
            } else if (in.flagNumber() == opaque) {
                opaqueSeen = true;
            } else {
                throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
            }
        }
        return opaqueSeen;
    }

    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {}

    /** Returns the error in the complete reply; null if the reply is not an error. */
    public final @Nullable ErrorReply errorReply() {
        return errorReply;
    }

    final void fail(ErrorReply error) {
        errorReply = error;
    }

    /** Fails a command without condition whose reply says that a condition does not hold. Only proxies send it. */
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

    /** Returns the error in the current line. Rejects a line that is not an error. */
    final ErrorReply errorOrReject(ReplyBuffer in) throws MalformedReplyException {
        ErrorReply error = errorIn(in);
        if (error == null) {
            throw in.malformed("not a reply to " + verb());
        }
        return error;
    }

    /** Returns the error in the current line; null for any other line. Throws if the connection cannot be trusted. */
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
            throw in.malformed("an error after which the connection cannot be trusted");
        }
        return new ErrorReply(ErrorReply.Kind.SERVER_ERROR, in.errorText());
    }

    /** Returns whether the request has a data block, which a server may read as commands after an error. */
    boolean hasDataBlock() {
        return false;
    }
}
