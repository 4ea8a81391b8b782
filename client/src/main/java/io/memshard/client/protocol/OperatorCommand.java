// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;

/**
 * Classic text command about the server as a whole.
 *
 * <p>The command has no opaque, so {@code version} is sent after it. If the second reply is not a reply to {@code
 * version}, the first reply belongs to another command.
 *
 * <p>Protocol: {@code <request>\r\nversion\r\n}; protocol.txt, section "Other commands".
 */
public abstract class OperatorCommand<T> extends Command<T> {

    private static final byte[] BARRIER = "version".getBytes(US_ASCII);
    private static final byte[] BARRIER_REPLY = "VERSION ".getBytes(US_ASCII);

    private static final String STATS = "stats";

    private final String line;
    private final String word;
    private boolean answered;

    OperatorCommand(String line) {
        this.line = line;
        this.word = line.split(" ", 2)[0];
    }

    /** Returns the first word of the request; for {@code stats} the whole line, so that a failure shows the group. */
    @Override
    public final String verb() {
        return word.equals(STATS) ? line : word;
    }

    @Override
    public final String operation() {
        return word;
    }

    @Override
    public final void encode(RequestBuffer out, int opaque) {
        out.append(line.getBytes(US_ASCII)).endLine().append(BARRIER).endLine();
    }

    @Override
    public final Command<T> classicForm() {
        return this;
    }

    @Override
    public final boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        while (in.nextLine()) {
            if (!answered) {
                answered = takeLine(in) || takeError(in);
            } else if (in.lineStartsWith(BARRIER_REPLY)) {
                return true;
            } else {
                throw in.malformed("not a reply to version after " + verb());
            }
        }
        return false;
    }

    /** Decodes a line of the reply, unless the line is an error. Returns whether the line is the last one. */
    abstract boolean takeLine(ReplyBuffer in) throws MalformedReplyException;
}
