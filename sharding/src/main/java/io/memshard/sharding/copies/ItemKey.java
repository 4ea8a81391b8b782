// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ItemCommand;
import io.memshard.client.protocol.MetaCommand;
import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.MetaFlags;
import org.jspecify.annotations.Nullable;

/**
 * Key of an item, and the commands that copy the item. Immutable.
 *
 * @param text the key as sent to the server
 * @param isBinary whether {@code text} is base64
 */
public record ItemKey(String text, boolean isBinary) {

    /** Time to live of a claimed placeholder, in seconds. */
    private static final int CLAIM_SECONDS = 10;

    public static ItemKey of(ItemCommand<?> command) {
        return new ItemKey(command.key(), command.hasBinaryKey());
    }

    private MetaFlags flags() {
        return isBinary ? MetaFlags.NONE.with("b") : MetaFlags.NONE;
    }

    private Command<MetaReply> get(MetaFlags flags) {
        return new MetaCommand<>(Verb.GET, text, flags, null, reply -> reply);
    }

    /** Returns {@code mg s}, which shows whether the item exists, and whether it is only a placeholder. */
    Command<MetaReply> look() {
        return get(flags().with("s"));
    }

    /** Returns {@code mg N c s}, which creates a placeholder for a missing item and claims it. */
    Command<MetaReply> claim() {
        return get(flags().with('N', CLAIM_SECONDS).with("cs"));
    }

    /** Returns {@code mg v f t}, which reads the value, the flags and the time to live. */
    Command<MetaReply> read() {
        return get(flags().with("vft"));
    }

    /** Returns {@code mg v f}, which can also be sent in classic text. */
    Command<@Nullable MetaReply> readClassic() {
        return new MetaGet<>(text, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, cas) -> StoreStatus.DONE)
                .raw();
    }

    /** Returns {@code ms C}, which stores an item in place of the claimed placeholder. */
    Command<MetaReply> fill(long casUnique, MetaSet.Item item) {
        MetaFlags flags =
                flags().with('T', item.exptime()).with('C', casUnique).with('F', Integer.toUnsignedLong(item.flags()));
        return new MetaCommand<>(Verb.SET, text, flags, item.data(), reply -> reply);
    }

    /** Returns {@code ms ME}, which stores an item if none exists. */
    Command<StoreStatus> add(MetaSet.Item item) {
        return new MetaSet<>(text, MetaSet.Mode.ADD, item, MetaSet.ANY_CAS, MetaReply::status);
    }

    /** Returns {@code md C}, which deletes the claimed placeholder. */
    Command<MetaReply> giveUp(long casUnique) {
        return new MetaCommand<>(Verb.DELETE, text, flags().with('C', casUnique), null, reply -> reply);
    }

    /** Returns {@code md I C}, which gives back the claim on a stale item. The next caller then wins the claim. */
    Command<MetaReply> giveBack(long casUnique) {
        return new MetaCommand<>(Verb.DELETE, text, flags().with('C', casUnique).with("I"), null, reply -> reply);
    }

    public Command<StoreStatus> delete() {
        return isBinary
                ? new MetaCommand<>(Verb.DELETE, text, flags(), null, MetaReply::status)
                : MetaCommand.delete(text, MetaReply::status);
    }
}
