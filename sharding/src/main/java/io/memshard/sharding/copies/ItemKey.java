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

/** Key of an item as sent to the server (a binary key in base64), and the commands that copy the item. Immutable. */
public record ItemKey(String text, boolean isBinary) {

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

    Command<MetaReply> look() {
        return get(flags().with("s"));
    }

    Command<MetaReply> claim() {
        return get(flags().with('N', CLAIM_SECONDS).with("cs"));
    }

    Command<MetaReply> read() {
        return get(flags().with("vft"));
    }

    Command<@Nullable MetaReply> readClassic() {
        return new MetaGet<>(text, MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, cas) -> StoreStatus.DONE)
                .raw();
    }

    Command<MetaReply> fill(long casUnique, MetaSet.Item item) {
        MetaFlags flags =
                flags().with('T', item.exptime()).with('C', casUnique).with('F', Integer.toUnsignedLong(item.flags()));
        return new MetaCommand<>(Verb.SET, text, flags, item.data(), reply -> reply);
    }

    Command<StoreStatus> add(MetaSet.Item item) {
        return new MetaSet<>(text, MetaSet.Mode.ADD, item, MetaSet.ANY_CAS, MetaReply::status);
    }

    Command<MetaReply> giveUp(long casUnique) {
        return new MetaCommand<>(Verb.DELETE, text, flags().with('C', casUnique), null, reply -> reply);
    }

    /** Returns {@code md I}, which marks the item as stale again. */
    Command<MetaReply> giveBack(long casUnique) {
        return new MetaCommand<>(Verb.DELETE, text, flags().with('C', casUnique).with("I"), null, reply -> reply);
    }

    public Command<StoreStatus> delete() {
        return isBinary
                ? new MetaCommand<>(Verb.DELETE, text, flags(), null, MetaReply::status)
                : MetaCommand.delete(text, MetaReply::status);
    }
}
