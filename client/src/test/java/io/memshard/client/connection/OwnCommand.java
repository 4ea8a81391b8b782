// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;

/** Command of a test: a line that is answered by a line, in each protocol. */
public class OwnCommand extends Command<String> {

    private final String line;

    protected OwnCommand(String line) {
        this.line = line;
    }

    @Override
    public String verb() {
        return line;
    }

    @Override
    public int keyCount() {
        return 1; // A time-out behind an unanswered question about the server would end the link.
    }

    @Override
    public Command<String> classicForm() {
        return this;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {
        out.append(line.getBytes(UTF_8)).endLine();
    }

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        return in.nextLine();
    }

    @Override
    public String result() {
        return "reply to " + line;
    }
}
