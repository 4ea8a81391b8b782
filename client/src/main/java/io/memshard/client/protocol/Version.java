// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

public final class Version extends Command<String> {

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
        out.append(verb()).endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.lineStartsWith(REPLY)) {
            version = in.line().substring(REPLY.length).strip();
        } else {
            takeErrorOrReject(in);
        }
        return true;
    }

    @Override
    public String result() {
        return Objects.requireNonNull(version, "the command has no reply yet");
    }
}
