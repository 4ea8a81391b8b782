// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Command whose reply may carry a data block, which may arrive in several portions. A block above the buffer's limit is
 * skipped to its end, so that the connection stays usable.
 *
 * <p>Protocol: {@code VA <size> <flags>*\r\n<data block>\r\n} in protocol.txt, section "Meta Get".
 */
abstract class ValueCommand<T> extends KeyCommand<T> {

    private byte @Nullable [] data;
    private int length;
    private int taken;
    private boolean inBlock;

    ValueCommand(String key) {
        super(key);
    }

    /** Begins a block by reading its size from the {@code VA} line. The caller reads the flags in that line. */
    final void beginBlock(ReplyBuffer in) throws MalformedReplyException {
        if (!in.nextToken()) {
            throw in.malformed("a value without length");
        }
        long announced = in.tokenNumber();
        if (announced < 0 || announced > Integer.MAX_VALUE) {
            throw in.malformed("a value with an impossible length");
        }
        length = (int) announced;
        taken = 0;
        inBlock = true;
        data = null;
        if (length > maxBlockBytes(in)) {
            beginSkip(in);
            return;
        }
        // Faster than new byte[length], which the JVM clears first.
        data = in.takeCopied(length);
        if (data == null) {
            data = new byte[length];
        } else {
            taken = length;
        }
    }

    int maxBlockBytes(ReplyBuffer in) {
        return in.maxValueBytes();
    }

    /** Begins to skip a block above the limit. By default, fails the command. */
    void beginSkip(ReplyBuffer in) throws MalformedReplyException {
        fail(
                ErrorReply.Kind.VALUE_TOO_LARGE,
                "the item's value of " + length + " bytes is above this client's limit maxValueBytes="
                        + in.maxValueBytes());
    }

    /** Returns whether the line before a block was decoded, but the block is not complete. */
    final boolean isInBlock() {
        return inBlock;
    }

    /** Reads more of the block. Returns whether the block is complete. */
    final boolean readBlock(ReplyBuffer in) throws MalformedReplyException {
        byte[] target = data;
        taken += target == null ? in.skip(length - taken) : in.take(target, taken, length - taken);
        if (taken < length || !in.takeLineEnd()) {
            return false;
        }
        inBlock = false;
        return true;
    }

    /** Returns the block; null if there was none, or if it was skipped. */
    final byte @Nullable [] data() {
        return data;
    }

    /** Returns {@code number} as client flags. Rejects more than 32 bits, which no server can have stored. */
    static int checkFlags(long number, ReplyBuffer in) throws MalformedReplyException {
        if (number >>> Integer.SIZE != 0) {
            throw in.malformed("flags of more than 32 bits");
        }
        return (int) number;
    }
}
