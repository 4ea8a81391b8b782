// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.client.protocol.wire.ServerText;
import org.jspecify.annotations.Nullable;

/** Command {@code set} that authenticates the client (protocol.txt, section "Authentication"). */
public final class Authentication extends Command<@Nullable Void> {

    private static final byte[] STORED = "STORED".getBytes(US_ASCII);

    private final byte[] userAndPassword;

    public Authentication(String user, String password) {
        this.userAndPassword = (user + ' ' + password).getBytes(UTF_8);
    }

    @Override
    public String verb() {
        return "set";
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        // A server without authentication stores nothing, because the exptime is negative.
        out.append("set memshard:auth 0 -1 ")
                .appendUnsigned(userAndPassword.length)
                .endLine();
        out.append(userAndPassword).endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.lineStartsWith(STORED)) {
            return true;
        }
        String line = in.line();
        if (ServerText.isMemcachedsOwn(line)) {
            takeError(in);
        } else if (ServerText.isError(line)) {
            // Another text may repeat the password.
            fail(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, ServerText.withoutText(line)));
        } else {
            throw new MalformedReplyException(
                    "the server sent a line that is not a reply to an authentication: " + ServerText.withoutText(line));
        }
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable Void result() {
        return null;
    }
}
