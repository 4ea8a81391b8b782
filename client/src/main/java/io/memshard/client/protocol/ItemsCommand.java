// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.Objects;

/**
 * Command on items that a sender may keep in several places: in several zones, in the two fleets of a migration, or on
 * another server while their server is down.
 */
public abstract sealed class ItemsCommand<T> extends Command<T> permits ItemCommand, KeysCommand {

    ItemsCommand(String key) {
        super(Objects.requireNonNull(key, "key is null"));
    }

    @Override
    public final String key() {
        return Objects.requireNonNull(super.key());
    }

    public abstract Effect effect();

    @Override
    public abstract Command<T> again();

    /**
     * Returns a command that limits the items' time to live to {@code seconds}, from 1 to 2,592,000 (30 days). The
     * caller sends only one of the two commands.
     */
    public abstract Command<T> withExptimeAtMost(int seconds);
}
