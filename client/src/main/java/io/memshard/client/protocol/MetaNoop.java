// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import org.jspecify.annotations.Nullable;

/** Command {@code mn}, which requests only a reply (protocol.txt, section "Meta No-Op"). */
public final class MetaNoop extends Command<@Nullable Void> {

    private static final String PROBED_KEY = "memshard:probe";

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
        out.append("mn").endLine();
    }

    /** Returns a {@code get} of a reserved key, because twemproxy answers {@code version} only since 0.5.0. */
    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the result may be null, as it is here.
    public Command<@Nullable Void> classicForm() {
        return new ClassicGet<>(PROBED_KEY, false, MetaGet.NO_TOUCH, (data, flags, casUnique) -> null);
    }

    /** Returns an {@code mg} of a reserved key, so that the server has to look up an item. */
    public static Command<@Nullable Object> read() {
        return new MetaGet<>(PROBED_KEY, MetaGet.Wanted.NOTHING, MetaGet.NO_TOUCH, (data, flags, casUnique) -> data);
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!in.nextLine()) {
            return false;
        }
        if (in.code() != ReplyBuffer.MN) {
            takeErrorOrReject(in);
        }
        return true;
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
    public @Nullable Void result() {
        return null;
    }

    /**
     * Commands {@code mg} and {@code mn} in one write. The result is the reason why the server does not support the
     * meta protocol, or null.
     *
     * <p>memcached before 1.6.10 and Infinispan also answer {@code mn}. So {@code mg} has the flag {@code b}, as old as
     * the flags that this client needs. A {@code SERVER_ERROR} proves nothing: memcached's proxy sends it if a server
     * is unavailable.
     */
    public static final class Probe extends Command<@Nullable String> {

        private static final String READ = "mg bWVtc2hhcmQ6cHJvYmU= b";

        /** Miss of memcached 1.6.10 to 1.6.14, which repeat the opaque only in hits. */
        private static final byte[] BARE_MISS = "EN".getBytes(US_ASCII);

        /** Reply that the server sends once for both commands. */
        private static final byte[] UNAUTHENTICATED = "CLIENT_ERROR unauthenticated".getBytes(US_ASCII);

        private static final byte[] CLASSIC_MISS = "END".getBytes(US_ASCII);

        private boolean isRead;
        private @Nullable ErrorReply readError;
        private @Nullable String denial = "mg was not answered";

        public Probe() {
            super(PROBED_KEY);
        }

        @Override
        public String verb() {
            return "mg";
        }

        @Override
        public void encode(RequestBuffer out, int opaque) {
            endWithOpaque(out.append(READ), opaque);
            out.append("mn").endLine();
        }

        @Override
        public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
            while (in.nextLine()) {
                if (in.code() == ReplyBuffer.MN) {
                    return true;
                }
                if (isRead || in.lineIs(UNAUTHENTICATED)) {
                    takeErrorOrReject(in);
                    return true;
                }
                takeRead(in, opaque);
                isRead = true;
            }
            return false;
        }

        private void takeRead(ReplyBuffer in, int opaque) throws MalformedReplyException {
            readError = errorIn(in);
            int code = in.code();
            if (readError != null) {
                denial = readError.isServersFault() ? null : "mg was answered " + readError.text();
            } else if (code == ReplyBuffer.HD || code == ReplyBuffer.EN) {
                boolean isRepeated = in.lineIs(BARE_MISS) || hasOpaqueAmongFlags(in, opaque);
                denial = isRepeated ? null : "the answer to mg has no opaque";
            } else if (code != 0 || in.lineIs(CLASSIC_MISS)) {
                denial = "mg was answered " + in.errorText();
            } else {
                throw in.malformed("the server sent a line that is not a reply to mg");
            }
        }

        public @Nullable ErrorReply readError() {
            return readError;
        }

        @Override
        @SuppressWarnings("NullAway") // NullAway does not see that the type argument of the superclass is nullable.
        public @Nullable String result() {
            return denial;
        }
    }
}
