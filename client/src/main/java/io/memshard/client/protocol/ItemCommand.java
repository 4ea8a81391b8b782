// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Properties of a command on one item. A sender that keeps several copies of the item evaluates the replies itself.
 * Such a sender sends a {@link #raw} command, and later may call {@link #resultOf} with a reply.
 *
 * @param <T> the result of the command
 */
public sealed interface ItemCommand<T> extends ItemsCommand<T> permits MetaCommand, MetaGet, MetaSet {

    /** Returns whether {@link #key} is written in base64. */
    default boolean hasBinaryKey() {
        return false;
    }

    /**
     * Returns a new command with the same request, whose result is the reply itself. For a {@link MetaGet}, the result
     * of a miss is null.
     */
    Command<@Nullable MetaReply> raw();

    /** Returns the result of this command for a reply to its {@link #raw} command. */
    T resultOf(@Nullable MetaReply reply);

    /**
     * Returns a new command that only touches, if this command touches and reads; otherwise the same as {@link #again}.
     */
    default Command<?> touchOnly() {
        return again();
    }

    /**
     * Returns a new {@link #raw} command that reads the item without a claim, a touch or a cas unique. The new command
     * can be sent to a server that does not decide about claims.
     *
     * @return the command; null unless this command is the get of a load, for which a read without the cas unique
     *     suffices
     */
    default @Nullable Command<@Nullable MetaReply> plainRead() {
        return null;
    }
}
