// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Command whose reply is one line with a {@link StoreStatus}. */
abstract class StatusCommand<T> extends KeyCommand<T> {

    private final Function<StoreStatus, T> outcome;
    private @Nullable StoreStatus status;

    /** Creates a command. {@code outcome} runs on the thread that requests the result. */
    StatusCommand(String key, Function<StoreStatus, T> outcome) {
        super(key);
        this.outcome = outcome;
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        status = statusIn(in, opaque);
        if (status == null && !takeError(in)) {
            throw in.malformed("not a reply to " + verb());
        }
        if (isRefusal(status)) {
            fail(ErrorReply.Kind.SERVER_ERROR, String.valueOf(status));
        }
        return true;
    }

    /** Returns whether {@code decoded} refuses a command that has no result for a refusal. Only proxies refuse it. */
    boolean isRefusal(@Nullable StoreStatus decoded) {
        return false;
    }

    @Nullable
    StoreStatus statusIn(ReplyBuffer in, int opaque) throws MalformedReplyException {
        StoreStatus code = StoreStatus.ofCode(in.code());
        if (code != null) {
            checkOpaqueAmongFlags(in, opaque);
        }
        return code;
    }

    final Function<StoreStatus, T> outcome() {
        return outcome;
    }

    final T resultOfStatus(@Nullable MetaReply reply) {
        return outcome.apply(reply == null ? StoreStatus.NOT_FOUND : reply.status());
    }

    @Override
    public final T result() {
        StoreStatus decoded = status;
        if (decoded == null) {
            throw new IllegalStateException(verb() + " has no reply yet");
        }
        return outcome.apply(decoded);
    }
}
