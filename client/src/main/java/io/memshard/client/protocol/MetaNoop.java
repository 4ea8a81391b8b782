// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.ErrorReply;
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

    /**
     * Commands {@code mg} and {@code mn} in one write, for a server that may speak the meta protocol only in part.
     *
     * <p>{@code mn} alone proves little: memcached 1.6.0 to 1.6.9 answers it and reads other flags, Infinispan answers
     * it and no other meta command. So the {@code mg} has the flag {@code b}, which came with the flags and replies
     * that this client needs, and the opaque, which other servers do not know. The {@code mn} marks the end, whatever
     * the {@code mg} was answered with.
     *
     * <p>The result is null if the server speaks meta. Otherwise the result says why not, and the server is ready for
     * classic text on the same connection, because it has answered both commands. An {@link #errorReply} is that to
     * {@code mn}: the server has no meta commands at all, has failed, or demands authentication.
     *
     * <p>Protocol: {@code mg bWVtc2hhcmQ6cHJvYmU= b v O<opaque>\r\nmn\r\n}, replied {@code EN O<opaque>\r\nMN\r\n};
     * protocol.txt, sections "Meta Get" and "Meta No-Op". memcached 1.6.10 to 1.6.14 leaves the opaque of a miss out.
     * {@code SERVER_ERROR} to the {@code mg} does not deny meta: memcached's proxy says by it that a server is away.
     */
    public static final class Probe extends ValueCommand<@Nullable String> {

        /** The key of {@link #PROBED_KEY} in base64. */
        private static final byte[] READ = "mg bWVtc2hhcmQ6cHJvYmU= b v".getBytes(US_ASCII);

        private static final int HIT_WITH_VALUE = ReplyBuffer.code('V', 'A');
        private static final int HIT = ReplyBuffer.code('H', 'D');
        private static final int MISS = ReplyBuffer.code('E', 'N');

        /** Miss of memcached 1.6.10 to 1.6.14, which repeats the opaque of hits only. */
        private static final byte[] BARE_MISS = "EN".getBytes(US_ASCII);

        /** Answer of a server that demands authentication. It is the only one to both commands. */
        private static final byte[] UNAUTHENTICATED = "CLIENT_ERROR unauthenticated".getBytes(US_ASCII);

        private static final byte[] CLASSIC_MISS = "END".getBytes(US_ASCII);

        /** True if there is an answer to {@code mg}. */
        private boolean isRead;

        /** Error in the answer to {@code mg}; null if it is none. */
        private @Nullable ErrorReply readError;

        /** Reason why the answer to {@code mg} is not that of the meta protocol; null if it is. */
        private @Nullable String denial = "mg was not answered";

        /** Creates a probe. */
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
            out.append(REQUEST).endLine();
        }

        @Override
        public Command<@Nullable String> classicForm() {
            return this;
        }

        @Override
        public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
            while (isInBlock() || in.nextLine()) {
                if (isInBlock()) {
                    if (!readBlock(in)) {
                        return false;
                    }
                } else if (in.code() == REPLY) {
                    return true;
                } else if (isRead ? takeError(in) : in.lineIs(UNAUTHENTICATED) && takeError(in)) {
                    return true;
                } else if (!isRead) {
                    takeRead(in, opaque);
                } else {
                    throw in.malformed("not a reply to mn");
                }
            }
            return false;
        }

        private void takeRead(ReplyBuffer in, int opaque) throws MalformedReplyException {
            isRead = true;
            readError = errorIn(in);
            int code = in.code();
            if (readError != null) {
                denial = readError.isServersFault() ? null : "mg was answered " + readError.text();
            } else if (code == HIT_WITH_VALUE || code == HIT || code == MISS) {
                if (code == HIT_WITH_VALUE) {
                    beginBlock(in);
                }
                denial = in.lineIs(BARE_MISS) || hasToken(in, "O" + opaque) ? null : "the answer to mg has no opaque";
            } else if (code != 0 || in.lineIs(CLASSIC_MISS)) {
                denial = "mg was answered " + in.errorText();
            } else {
                throw in.malformed("not a reply to mg");
            }
        }

        private static boolean hasToken(ReplyBuffer in, String token) {
            while (in.nextToken()) {
                if (in.tokenIs(token)) {
                    return true;
                }
            }
            return false;
        }

        /** Skips the value: any is too long. */
        @Override
        int maxBlockBytes(ReplyBuffer in) {
            return 0;
        }

        @Override
        void beginSkip(ReplyBuffer in) {}

        /**
         * Returns the error that {@code mg} was answered with; null if there is none. Also for a command without a
         * complete reply, from the thread that was notified of its end.
         */
        public @Nullable ErrorReply readError() {
            return readError;
        }

        @Override
        @SuppressWarnings("NullAway") // It does not see that the type argument of the superclass is nullable.
        public @Nullable String result() {
            return denial;
        }
    }
}
