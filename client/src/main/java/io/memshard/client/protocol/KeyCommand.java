// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;

/** Command on one item, whose key is checked when the command is created. */
abstract class KeyCommand<T> extends Command<T> {

    private static final byte[] OPAQUE = {' ', 'O'};

    private final String key;
    private final int keyBytes;

    KeyCommand(String key) {
        this.keyBytes = KeyRule.checkLength(key);
        this.key = key;
    }

    @Override
    public final String key() {
        return key;
    }

    final RequestBuffer appendKey(RequestBuffer out) {
        return out.appendKey(key, keyBytes);
    }

    static void endWithOpaque(RequestBuffer out, int opaque) {
        out.append(OPAQUE).appendUnsigned(opaque).endLine();
    }

    static void checkOpaque(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (in.flagNumber() != opaque) {
            throw in.malformed("a reply to another request (opaque " + opaque + " expected)");
        }
    }

    /** Reads the rest of the line like {@link #hasOpaqueAmongFlags}, but requires an opaque. */
    final void checkOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        if (!hasOpaqueAmongFlags(in, opaque)) {
            throw in.malformed("a reply without its opaque");
        }
    }

    /**
     * Reads the rest of a line: checks the opaque, and passes every other flag to {@link #readFlag}. Returns whether
     * the line has an opaque.
     */
    final boolean hasOpaqueAmongFlags(ReplyBuffer in, int opaque) throws MalformedReplyException {
        boolean opaqueSeen = false;
        while (in.nextToken()) {
            byte letter = in.tokenLetter();
            if (letter == 'O') {
                checkOpaque(in, opaque);
                opaqueSeen = true;
            } else {
                readFlag(letter, in);
            }
        }
        return opaqueSeen;
    }

    void readFlag(byte letter, ReplyBuffer in) throws MalformedReplyException {}
}
