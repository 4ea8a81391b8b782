// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command and the state of its reply. It encodes itself, then decodes its own reply from bytes that come in
 * portions of any size.
 *
 * <p>A command is used once: {@link #encode} at most once, {@link #decode} until it returns true,
 * then {@link #errorReply} and {@link #result}.
 *
 * <p>Threading: the connection's writer encodes it, the connection's reader decodes its reply, and the caller takes the
 * result. The connection hands it from thread to thread so that each sees the writes of the one before. The command
 * itself has no volatile state.
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
    private static final byte[] TOO_MANY_CONNECTIONS = "ERROR Too many open connections".getBytes(US_ASCII);

    private @Nullable ErrorReply errorReply;

    /** Returns the verb as it is written, such as {@code mg}. */
    public abstract String verb();

    /** Returns the operation of the API that sends it, such as {@code getAndTouch}; by default the verb. */
    public String operation() {
        return verb();
    }

    /** Returns the key that decides which server gets the command; null for a command without a key. */
    public @Nullable String key() {
        return null;
    }

    /** Returns how many keys the command names. */
    public int keyCount() {
        return key() == null ? 0 : 1;
    }

    /**
     * Estimates the bytes of memory that the request takes in flight, beyond those that any command takes. They are its
     * data blocks, and all its keys if there are many.
     */
    public long requestBytes() {
        return 0;
    }

    /**
     * Returns the commands to send after a complete reply, for no caller. They give back the claims on stale items that
     * the reply has won unasked. Empty for nearly every reply.
     */
    public List<MetaRelease> releases() {
        return List.of();
    }

    /** Returns a new command with the same request; null, as by default, for a command that nobody sends again. */
    public @Nullable Command<T> again() {
        return null;
    }

    /** Returns the facts of a command that reads; null, as by default, for any other. */
    public @Nullable ReadCommand<T> asRead() {
        return null;
    }

    /** Returns the facts of a command about items; null, as by default, for any other. */
    public @Nullable ItemsCommand<T> asItems() {
        return null;
    }

    /**
     * Appends the request.
     *
     * @param opaque the number that the reply must repeat, not negative
     */
    public abstract void encode(RequestBuffer out, int opaque);

    /**
     * Decodes as much of the reply as {@code in} holds.
     *
     * @param opaque the number given to {@link #encode}
     * @return whether the reply is complete; if not, call again with more bytes
     * @throws MalformedReplyException if the bytes are not a reply to this command
     */
    public abstract boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException;

    /** Returns the result of a complete reply. Only for a reply without an {@link #errorReply}. */
    public abstract T result();

    /**
     * Returns the command to send instead of this one to a server without meta commands; this one if it is classic text
     * itself. Its result is this one's. Its replies carry no opaque, so only their order and the keys of values can be
     * checked.
     *
     * @throws NoClassicFormException if the classic text protocol has no such command
     */
    public abstract Command<T> classicForm() throws NoClassicFormException;

    /** Returns the failure of a command that only the meta protocol has. */
    final NoClassicFormException noClassicForm() {
        return new NoClassicFormException(operation() + " needs memcached 1.6.10 or later, without a proxy in between");
    }

    /** Returns the error that the complete reply is; null if it is none. */
    public final @Nullable ErrorReply errorReply() {
        return errorReply;
    }

    /** Ends the command with an error. */
    final void fail(ErrorReply.Kind kind, String text) {
        errorReply = new ErrorReply(kind, text);
    }

    /** Takes the current line as the {@link #errorReply} if {@link #errorIn} finds one; returns whether it did. */
    final boolean takeError(ReplyBuffer in) throws MalformedReplyException {
        errorReply = errorIn(in);
        return errorReply != null;
    }

    /**
     * Returns the error that the current line is; null if it is not an error.
     *
     * @throws MalformedReplyException if it is an error after which the connection cannot be trusted
     */
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
                || in.lineStartsWith(TOO_MANY_CONNECTIONS)
                || hasDataBlock()) {
            throw in.malformed("an error after which the connection cannot be trusted");
        }
        return new ErrorReply(ErrorReply.Kind.SERVER_ERROR, in.errorText());
    }

    /** Returns whether the request has a data block, which a server that rejects the line may misread. */
    boolean hasDataBlock() {
        return false;
    }
}
