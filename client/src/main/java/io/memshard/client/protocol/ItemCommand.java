// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Facts of a command about one item. A sender with several copies of the item judges the reply itself: it sends the
 * {@link #raw} command, and makes the {@link #resultOf} a reply later or not at all.
 *
 * @param <T> the result of the command
 */
public sealed interface ItemCommand<T> extends ItemsCommand<T>
        permits MetaArithmetic, MetaCommand, MetaDelete, MetaGet, MetaSet {

    /** Returns whether {@link #key} is written in base64. */
    default boolean hasBinaryKey() {
        return false;
    }

    /** Returns a new command with the same request, whose result is the reply; null for the miss of a plain read. */
    Command<@Nullable MetaReply> raw();

    /** Returns the result of this command for the reply to a {@link #raw} one. */
    T resultOf(@Nullable MetaReply reply);

    /** Returns a new command for the touch alone, if this one touches and reads; otherwise as {@link #again}. */
    default Command<?> touchOnly() {
        return again();
    }

    /**
     * Returns a new {@link #raw} command that reads the item without a claim, a touch and a cas unique. A server that
     * does not decide about claims can be sent it.
     *
     * @return null if this is no part of a load, whose caller can do without the cas unique
     */
    default @Nullable Command<@Nullable MetaReply> plainRead() {
        return null;
    }
}
