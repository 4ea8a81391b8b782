// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Feeds replies to commands in all the portions into which a network may cut them. Text is Latin-1. */
final class Decoding {

    /** The opaque that requests are encoded with and replies are expected to carry. */
    static final int OPAQUE = 7;

    /** Larger values are skipped. */
    static final int MAX_VALUE_BYTES = 100;

    /** The reply after the one under test; it shows that exactly the first one was taken. */
    private static final String NEXT_REPLY = "MN\r\n";

    private static final Pattern PART = Pattern.compile("O(\\d{8,10})");
    private static final Pattern SHOWN_PART = Pattern.compile("O7\\.(\\d+)");

    private Decoding() {}

    /** The request as text, in which {@code O7.2} is the opaque of part 2. */
    static String request(Command<?> command) {
        RequestBuffer out = new RequestBuffer();
        command.encode(out, OPAQUE);
        return PART.matcher(new String(out.drain(), ISO_8859_1)).replaceAll(found -> {
            int opaque = Integer.parseInt(found.group(1));
            int part = (opaque >> 24) - 1;
            assertThat(Command.opaqueOf(part, OPAQUE)).isEqualTo(opaque);
            return "O7." + part;
        });
    }

    /** The reply as sent, for one in which {@code O7.2} is the opaque of part 2. */
    static String sent(String reply) {
        return SHOWN_PART
                .matcher(reply)
                .replaceAll(found -> "O" + Command.opaqueOf(Integer.parseInt(found.group(1)), OPAQUE));
    }

    /** Decodes the reply whole, cut at every position, and byte by byte. A command that is complete too early fails. */
    static <C extends Command<?>> void assertDecoded(Supplier<C> commands, String shown, Consumer<C> check) {
        String reply = sent(shown);
        for (int cut = 0; cut <= reply.length(); cut++) {
            check.accept(decodeIn(commands.get(), reply.substring(0, cut), reply.substring(cut) + NEXT_REPLY));
            check.accept(decodeIn(commands.get(), reply.substring(0, cut), reply.substring(cut), NEXT_REPLY));
        }
        check.accept(decodeIn(commands.get(), (reply + NEXT_REPLY).split("")));
    }

    private static <C extends Command<?>> C decodeIn(C command, String... portions) {
        ReplyBuffer in = new ReplyBuffer(MAX_VALUE_BYTES, false);
        MetaNoop next = new MetaNoop();
        boolean complete = false;
        boolean nextComplete = false;
        try {
            for (String portion : portions) {
                put(in, portion);
                complete = complete || in.hasBytes() && command.decode(in, OPAQUE);
                nextComplete = complete && in.hasBytes() && next.decode(in, OPAQUE);
            }
        } catch (MalformedReplyException e) {
            throw new AssertionError("cut as " + String.join("|", portions), e);
        }
        assertThat(complete).as("the reply is complete").isTrue();
        assertThat(nextComplete).as("the next reply is complete").isTrue();
        assertThat(in.hasBytes()).as("bytes are left").isFalse();
        return command;
    }

    /** Decodes a reply that comes whole. */
    static void decode(Command<?> command, String reply) {
        decodeIn(command, sent(reply), NEXT_REPLY);
    }

    /** Asserts that the reply is rejected, however it is cut, with a message that contains {@code reason}. */
    static void assertRejected(Supplier<? extends Command<?>> commands, String shown, String reason) {
        String reply = sent(shown);
        for (int cut = 0; cut <= reply.length(); cut++) {
            String first = reply.substring(0, cut);
            String second = reply.substring(cut);
            assertThatThrownBy(() -> decodeAll(commands.get(), first, second))
                    .as("cut as %s|%s", first, second)
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining(reason);
        }
        assertThatThrownBy(() -> decodeAll(commands.get(), reply.split("")))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining(reason);
    }

    private static void decodeAll(Command<?> command, String... portions) throws MalformedReplyException {
        ReplyBuffer in = new ReplyBuffer(MAX_VALUE_BYTES, false);
        for (String portion : portions) {
            put(in, portion);
            while (in.hasBytes() && command.decode(in, OPAQUE)) {
                // Bytes after a complete reply are decoded as another one.
            }
        }
    }

    /** Puts bytes into the buffer as a connection does. */
    static void put(ReplyBuffer in, String text) {
        in.append(ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
    }
}
