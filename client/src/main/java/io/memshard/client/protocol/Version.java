// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Command {@code version}, which reads the server's version.
 *
 * <p>Protocol: {@code version\r\n}, replied {@code VERSION <version>\r\n}, in protocol.txt, section "Other commands".
 */
public final class Version extends Command<String> {

    private static final byte[] REQUEST = "version".getBytes(US_ASCII);
    private static final byte[] REPLY = "VERSION ".getBytes(US_ASCII);

    private @Nullable String version;

    @Override
    public String verb() {
        return "version";
    }

    @Override
    public Command<String> again() {
        return new Version();
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(REQUEST).endLine();
    }

    @Override
    public Command<String> classicForm() {
        return this;
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.lineStartsWith(REPLY)) {
            version = in.line().substring(REPLY.length).strip();
            return true;
        }
        if (takeError(in)) {
            return true;
        }
        throw in.malformed("not a reply to version");
    }

    @Override
    public String result() {
        String decoded = version;
        if (decoded == null) {
            throw new IllegalStateException("version has no reply yet");
        }
        return decoded;
    }
}
