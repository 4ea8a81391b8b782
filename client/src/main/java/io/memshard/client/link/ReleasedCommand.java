// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;

/** Replacement for a failed command that gets no reply. The replacement keeps no values in memory. */
final class ReleasedCommand<T> extends Command<T> {

    private final String verb;
    private final int keyCount;

    ReleasedCommand(Command<T> command) {
        super(command.key());
        verb = command.verb();
        keyCount = command.keyCount();
    }

    @Override
    public String verb() {
        return verb;
    }

    @Override
    public int keyCount() {
        return keyCount;
    }

    @Override
    public void encode(RequestBuffer out, int opaque) {}

    @Override
    public boolean decode(ReplyBuffer in, int opaque) throws MalformedReplyException {
        throw new MalformedReplyException("a reply came on a connection that has failed");
    }

    @Override
    public T result() {
        throw new IllegalStateException(verb + " has failed");
    }
}
