// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;

/**
 * Facts of a command about the items of many keys, which may belong to several servers.
 *
 * @param <T> the result of the command
 */
public sealed interface KeysCommand<T> extends ItemsCommand<T> permits MetaMultiGet, MetaMultiWrite {

    /**
     * The most keys for which a command is not quiet. Larger ones are, where silence has a meaning. Quiet requests are
     * closed by {@code mn}, to which memcached replies at once. It sends the replies to other requests together, if
     * they have come together.
     */
    int FEW_KEYS = 8;

    /** Returns the keys, as they were given. */
    List<String> keys();
}
