// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import io.memshard.client.protocol.wire.ReplyBuffer;
import org.jspecify.annotations.Nullable;

/** Outcome of a store or a delete (protocol.txt, sections "Meta Set" and "Meta Delete"). */
public enum StoreStatus {
    DONE,
    /** {@code NS}: {@code add} found an item, a replace or append found no item, or the result is too large. */
    NOT_STORED,
    EXISTS,
    NOT_FOUND;

    /** Reply with this status, without flags and value. Never changed. */
    @SuppressWarnings("ImmutableEnumChecker")
    final MetaReply reply = new MetaReply(this);

    private static final int NS = ReplyBuffer.code('N', 'S');
    private static final int EX = ReplyBuffer.code('E', 'X');
    private static final int NF = ReplyBuffer.code('N', 'F');

    static @Nullable StoreStatus ofCode(int code) {
        return code == ReplyBuffer.HD
                ? DONE
                : code == NS ? NOT_STORED : code == EX ? EXISTS : code == NF ? NOT_FOUND : null;
    }
}
