// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A command whose reply may carry a data block, which is read in as many calls as its bytes need to arrive.
 *
 * <p>A block above the buffer's limit is skipped to its end, so that the connection stays usable.
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

    /** Takes the size from a {@code VA} line, and leaves its flags to the caller. */
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
        // An array that is made by copying is not cleared first.
        data = in.takeCopied(length);
        if (data == null) {
            data = new byte[length];
        } else {
            taken = length;
        }
    }

    /** Returns the longest block to read: by default, the longest value. */
    int maxBlockBytes(ReplyBuffer in) {
        return in.maxValueBytes();
    }

    /** Fails the command, by default, because a block above the limit is about to be skipped. */
    void beginSkip(ReplyBuffer in) throws MalformedReplyException {
        fail(
                ErrorReply.Kind.VALUE_TOO_LARGE,
                "the item's value of " + length + " bytes is above this client's limit maxValueBytes="
                        + in.maxValueBytes());
    }

    /** Returns whether the line of a reply was read, and its block is being read. */
    final boolean isInBlock() {
        return inBlock;
    }

    /** Reads more of the block. Returns whether it is complete. */
    final boolean readBlock(ReplyBuffer in) throws MalformedReplyException {
        byte[] target = data;
        taken += target == null ? in.skip(length - taken) : in.take(target, taken, length - taken);
        if (taken < length || !in.takeLineEnd()) {
            return false;
        }
        inBlock = false;
        return true;
    }

    /** Returns the block; null if there was none. */
    final byte @Nullable [] data() {
        return data;
    }

    /**
     * Client flags that came as {@code number}. A larger number is none that a server could have stored.
     *
     * @return an unsigned 32-bit number
     */
    static int checkFlags(long number, ReplyBuffer in) throws MalformedReplyException {
        if (number >>> Integer.SIZE != 0) {
            throw in.malformed("flags of more than 32 bits");
        }
        return (int) number;
    }
}
