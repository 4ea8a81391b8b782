// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Command on one item. A sender that keeps copies on several servers sends each of them a {@link #raw} command, and
 * passes one reply to {@link #resultOf}.
 */
public abstract sealed class ItemCommand<T> extends ItemsCommand<T> permits MetaCommand, MetaGet, MetaSet {

    ItemCommand(String key) {
        super(key);
    }

    public boolean hasBinaryKey() {
        return false;
    }

    /** Returns a command with the same request. Its result is the reply, or null if a {@link MetaGet} finds no item. */
    public abstract Command<@Nullable MetaReply> raw();

    public abstract T resultOf(@Nullable MetaReply reply);

    /** Returns a new command that touches but does not read, if this command does both; otherwise {@link #again}. */
    public Command<?> touchOnly() {
        return again();
    }

    /** Returns a {@link #raw} read that requests no claim, touch or cas unique; null except for {@code getOrLoad}. */
    public @Nullable Command<@Nullable MetaReply> plainRead() {
        return null;
    }
}
