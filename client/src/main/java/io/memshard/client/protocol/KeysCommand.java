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
     * Maximum number of keys for which the server replies to each request. For more keys, requests are quiet where a
     * missing reply has a meaning, and {@code mn} follows them. The limit exists because memcached sends the reply to
     * {@code mn} at once, but combines the replies to other requests that arrive together in one write.
     */
    int FEW_KEYS = 8;

    /** Maximum number of keys in one command. For more keys, the caller sends several commands. */
    int MAX_KEYS = 100;

    /** Returns the keys, as they were given. */
    List<String> keys();
}
