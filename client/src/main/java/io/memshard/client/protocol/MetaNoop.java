// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Command {@code mn}, which requests only a reply. It serves as the handshake, the heartbeat, and the barrier after
 * quiet commands.
 *
 * <p>Protocol: {@code mn\r\n}, replied {@code MN\r\n}, in protocol.txt, section "Meta No-Op".
 */
public final class MetaNoop extends Command<@Nullable Void> {

    static final byte[] REQUEST = "mn".getBytes(US_ASCII);
    static final int REPLY = ReplyBuffer.code('M', 'N');

    static final String PROBED_KEY = "memshard:probe";

    @Override
    public String verb() {
        return "mn";
    }

    @Override
    public String operation() {
        return "meta.noop";
    }

    @Override
    public Command<@Nullable Void> again() {
        return new MetaNoop();
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(REQUEST).endLine();
    }

    /**
     * Returns a {@code get} of a key reserved for this client. Everything that speaks the protocol answers it;
     * twemproxy answers {@code version} only from 0.5.0 on.
     */
    @Override
    @SuppressWarnings("NullAway") // It does not see that the result may be null, as it is here.
    public Command<@Nullable Void> classicForm() {
        return new ClassicGet<>(PROBED_KEY, false, MetaGet.NO_TOUCH, (data, flags, casUnique) -> null);
    }

    /** Returns a meta read of the key of {@link #classicForm}, for which a server has to look up its items. */
    public static Command<@Nullable Object> read() {
        return new MetaGet<>(PROBED_KEY, MetaGet.Wanted.NOTHING, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.code() != REPLY && !takeError(in)) {
            throw in.malformed("not a reply to mn");
        }
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // It does not see that the type argument of the superclass is nullable.
    public @Nullable Void result() {
        return null;
    }
}
