// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

/**
 * Command on items that a sender may keep in several places: in several zones, in the two fleets of a migration, or on
 * another server while their server is down.
 */
public sealed interface ItemsCommand<T> permits ItemCommand, KeysCommand {

    Effect effect();

    /** Returns the same as {@link Command#again}, but never null. */
    Command<T> again();

    /**
     * Returns a command that limits the items' time to live to {@code seconds}, from 1 to 2,592,000 (30 days). The
     * caller sends only one of the two commands.
     */
    Command<T> withExptimeAtMost(int seconds);

    String verb();

    String operation();

    /** Returns the key; for a command on many keys, the first key. */
    String key();

    int keyCount();
}
