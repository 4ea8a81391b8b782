// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.Objects;

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

    /** Returns a new command that limits each time to live to {@code seconds}, which is 1 to 2,592,000. */
    public abstract Command<T> withExptimeAtMost(int seconds);
}
