// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;

public abstract sealed class KeysCommand<T> extends ItemsCommand<T> permits MetaMultiGet, MetaMultiWrite {

    /** Maximum number of keys that are read or stored with a request and a reply for each key. */
    public static final int FEW_KEYS = 8;

    public static final int MAX_KEYS = 100;

    final List<String> keys;

    /** Creates a command on 1 to {@link #MAX_KEYS} distinct keys; the list is not copied. */
    KeysCommand(List<String> keys) {
        super(keys.get(0));
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("a command has " + keys.size() + " keys, above the limit " + MAX_KEYS);
        }
        this.keys = keys;
    }

    public final List<String> keys() {
        return keys;
    }

    @Override
    public final int keyCount() {
        return keys.size();
    }
}
