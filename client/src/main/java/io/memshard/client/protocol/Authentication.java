package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * The {@code set} by which a client authenticates itself to a server that was started with {@code -Y}.
 *
 * <p>Protocol: {@code set <key> <flags> <exptime> <bytes>\r\n<user> <password>\r\n}, replied {@code STORED} or
 * {@code CLIENT_ERROR authentication failure}; protocol.txt, section "Authentication". The server ignores
 * key, flags and exptime. The exptime is negative, so that a server without authentication keeps nothing.
 */
public final class Authentication extends Command<@Nullable Void> {

    private static final byte[] SET = "set auth 0 -1 ".getBytes(US_ASCII);
    private static final byte[] STORED = "STORED".getBytes(US_ASCII);

    private final byte[] userAndPassword;

    /**
     * Authenticates {@code user}.
     *
     * @param user without spaces
     * @param password without spaces
     */
    public Authentication(String user, String password) {
        this.userAndPassword = (user + ' ' + password).getBytes(UTF_8);
    }

    @Override
    public String verb() {
        return "set";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(SET).appendUnsigned(userAndPassword.length).endLine();
        out.append(userAndPassword).endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (!in.lineStartsWith(STORED) && !takeError(in)) {
            throw in.malformed("not a reply to an authentication");
        }
        return true;
    }

    /** The command is already classic text. */
    @Override
    public Command<@Nullable Void> classicForm() {
        return this;
    }

    @Override
    @SuppressWarnings("NullAway") // It does not see that the type argument of the superclass is nullable.
    public @Nullable Void result() {
        return null;
    }
}
