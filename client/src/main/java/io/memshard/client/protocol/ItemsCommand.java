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

    /** Returns what the command does to the items. */
    Effect effect();

    /** As {@link Command#again}, of which each of these commands has one. */
    Command<T> again();

    /**
     * Returns a command that gives the items no longer time to live than this. It is this command itself if it gives
     * none. Only one of the two is sent.
     *
     * @param seconds 1 to those of 30 days
     */
    Command<T> withExptimeAtMost(int seconds);

    /** As {@link Command#verb}. */
    String verb();

    /** As {@link Command#operation}. */
    String operation();

    /** As {@link Command#key}: of many keys the first. */
    String key();

    /** As {@link Command#keyCount}. */
    int keyCount();
}
