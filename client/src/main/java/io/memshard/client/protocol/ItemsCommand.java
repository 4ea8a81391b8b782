// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Properties of a command on items, for senders that keep an item in more than one place. Such senders keep a copy in
 * each zone, in each of the two fleets of a migration, or on another server while the item's own server is down.
 *
 * <p>{@link Command#asItems} returns these properties. Each instance is an {@link ItemCommand} or a {@link
 * KeysCommand}.
 *
 * @param <T> the result of the command
 */
public sealed interface ItemsCommand<T> permits ItemCommand, KeysCommand {

    /** Returns the effect of the command on the items. */
    Effect effect();

    /** Returns the same as {@link Command#again}, but never null. */
    Command<T> again();

    /**
     * Returns a command that gives the items a time to live of at most {@code seconds}. If this command does not set a
     * time to live, returns this command. The caller sends either this command or the returned one, but not both.
     *
     * @param seconds the maximum time to live in seconds, from 1 to 2,592,000 (30 days)
     */
    Command<T> withExptimeAtMost(int seconds);

    /** Returns the same as {@link Command#verb}. */
    String verb();

    /** Returns the same as {@link Command#operation}. */
    String operation();

    /** Returns the same as {@link Command#key}; for a command on many keys, the first key. */
    String key();

    /** Returns the same as {@link Command#keyCount}. */
    int keyCount();
}
