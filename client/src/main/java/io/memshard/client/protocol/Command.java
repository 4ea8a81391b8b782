package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

/**
 * One command and the state of its reply: encodes itself, then decodes its own reply from bytes that
 * come in any portions.
 *
 * <p>A command is used once: {@link #encode} at most once, {@link #decode} until it returns true,
 * then {@link #refusal} and {@link #result}.
 *
 * <p>Threading: encoded by whoever writes to the connection, decoded by whoever reads from it, its
 * result taken by the caller. The connection passes it from one to the next by means that make the
 * former's writes visible to the latter; the command itself has no volatile state.
 *
 * <p>Protocol: protocol.txt, sections "Error strings" for {@link #refusal} and "Meta Commands" for the
 * opaque, which each request carries and each reply with flags must repeat.
 *
 * @param <T> the result of a reply that is no error
 */
public abstract class Command<T> {

    private static final byte[] SERVER_ERROR = "SERVER_ERROR ".getBytes(US_ASCII);
    private static final byte[] CLIENT_ERROR = "CLIENT_ERROR ".getBytes(US_ASCII);
    private static final byte[] ERROR = "ERROR".getBytes(US_ASCII);
    private static final byte[] TOO_LARGE = "SERVER_ERROR object too large for cache".getBytes(US_ASCII);
    private static final byte[] BAD_CHUNK = "CLIENT_ERROR bad data chunk".getBytes(US_ASCII);
    private static final byte[] TOO_MANY_CONNECTIONS = "ERROR Too many open connections".getBytes(US_ASCII);

    private @Nullable Refusal refusal;

    /** The verb as it is written, such as {@code mg}. */
    public abstract String verb();

    /** The key that decides on the server; null for a command without one. */
    public @Nullable String key() {
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
     * @return whether the reply is complete; if not, to be called again with more bytes
     * @throws MalformedReplyException if the bytes are not a reply to this command
     */
    public abstract boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException;

    /** What a complete reply says; not to be called when there is a {@link #refusal}. */
    public abstract T result();

    /** The refusal that the complete reply is; null if it is none. */
    public final @Nullable Refusal refusal() {
        return refusal;
    }

    /** Ends the command with a refusal. */
    final void refuse(Refusal.Kind kind, String text) {
        refusal = new Refusal(kind, text);
    }

    /** Whether the current line is an error that leaves the connection usable; it is then the refusal. */
    final boolean refusedBy(ReplyBuffer in) throws MalformedReplyException {
        refusal = refusalIn(in);
        return refusal != null;
    }

    /** The refusal that the current line is, if it is an error that leaves the connection usable. */
    final @Nullable Refusal refusalIn(ReplyBuffer in) throws MalformedReplyException {
        if (in.lineStartsWith(TOO_LARGE)) {
            return new Refusal(Refusal.Kind.VALUE_TOO_LARGE, in.line());
        }
        if (in.lineStartsWith(SERVER_ERROR)) {
            return new Refusal(Refusal.Kind.SERVER_ERROR, in.line());
        }
        boolean clientError = in.lineStartsWith(CLIENT_ERROR);
        if (!clientError && !in.lineStartsWith(ERROR)) {
            return null;
        }
        // After a refused data block the server may take its bytes for commands.
        if (in.lineStartsWith(BAD_CHUNK) || in.lineStartsWith(TOO_MANY_CONNECTIONS) || hasDataBlock()) {
            throw in.malformed("an error after which the connection cannot be trusted");
        }
        return new Refusal(Refusal.Kind.SERVER_ERROR, in.line());
    }

    /** Whether the request has a data block, which a server that refuses the line may misread. */
    boolean hasDataBlock() {
        return false;
    }

    /** Checks the opaque that is the current token. */
    static void checkOpaque(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.flagNumber() != opaque) {
            throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
        }
    }

    /** Checks the rest of a line of whose flags only the opaque matters. */
    static void checkOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!hasOpaqueAmongFlags(in, opaque)) {
            throw in.malformed("a reply without its opaque");
        }
    }

    /** Whether the rest of the line has an opaque, which is checked. */
    static boolean hasOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean seen = false;
        while (in.nextToken()) {
            if (in.tokenLetter() == 'O') {
                checkOpaque(in, opaque);
                seen = true;
            }
        }
        return seen;
    }
}
