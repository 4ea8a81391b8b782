// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;

/**
 * Properties of a command on many keys, whose items may belong to several servers.
 *
 * @param <T> the result of the command
 */
public sealed interface KeysCommand<T> extends ItemsCommand<T> permits MetaMultiGet, MetaMultiWrite {

    /**
     * Maximum number of keys for which each command has a request and a reply for each key. With more keys, a read of
     * values is one {@code get}, and stores are quiet, followed by {@code mn}. The limit exists because memcached sends
     * the reply to {@code get} or {@code mn} at once, but combines the replies to other requests in one write.
     */
    int FEW_KEYS = 8;

    /** Maximum number of keys in one command. For more keys, the caller sends several commands. */
    int MAX_KEYS = 100;

    /** Returns the keys, as they were given. */
    List<String> keys();
}
