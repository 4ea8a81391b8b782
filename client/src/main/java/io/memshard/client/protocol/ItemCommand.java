// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/** Command on one item. Of several {@link #raw} replies, a sender passes one to {@link #resultOf}. */
public abstract sealed class ItemCommand<T> extends ItemsCommand<T> permits MetaCommand, MetaGet, MetaSet {

    ItemCommand(String key) {
        super(key);
    }

    public boolean hasBinaryKey() {
        return false;
    }

    /** Returns the same request, whose result is the reply; null if a {@link MetaGet} finds no item. */
    public abstract Command<@Nullable MetaReply> raw();

    public abstract T resultOf(@Nullable MetaReply reply);

    /** Returns a command that only touches, if this command reads and touches; otherwise {@link #again}. */
    public Command<?> touchOnly() {
        return again();
    }

    /** Returns a {@link #raw} read without claim, touch or cas unique; null except for {@code getOrLoad}. */
    public @Nullable Command<@Nullable MetaReply> plainRead() {
        return null;
    }
}
