// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Facts of a command about items, for senders that keep an item in more than one place. These have a copy in each zone
 * or in two fleets, or one on another server while its own is down.
 *
 * <p>A command shows it by {@link Command#asItems}. It is an {@link ItemCommand} or a {@link KeysCommand}.
 *
 * @param <T> the result of the command
 */
public sealed interface ItemsCommand<T> permits ItemCommand, KeysCommand {

    /** Returns the effect of the command on the items. */
    Effect effect();

    /** Returns the same as {@link Command#again}, but never null. */
    Command<T> again();

    /**
     * Returns a command that caps the time to live that it gives the items. If this command gives none, returns this
     * command. Only one of the two is sent.
     *
     * @param seconds 1 to those of 30 days
     */
    Command<T> withExptimeAtMost(int seconds);

    /** Returns the same as {@link Command#verb}. */
    String verb();

    /** Returns the same as {@link Command#operation}. */
    String operation();

    /** Returns the same as {@link Command#key}: the first of many keys. */
    String key();

    /** Returns the same as {@link Command#keyCount}. */
    int keyCount();
}
