// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;

/** Command on many keys, whose items may belong to several servers. */
public sealed interface KeysCommand<T> extends ItemsCommand<T> permits MetaMultiGet, MetaMultiWrite {

    /**
     * Maximum number of keys for which a command has a request and a reply for each key. Above this limit, values are
     * read by one {@code get}, and stores are quiet and end with {@code mn}.
     */
    int FEW_KEYS = 8;

    /** Maximum number of keys in one command. */
    int MAX_KEYS = 100;

    List<String> keys();

    static void checkCount(int keys) {
        if (keys > MAX_KEYS) {
            throw new IllegalArgumentException("a command has " + keys + " keys, above the limit " + MAX_KEYS);
        }
    }
}
