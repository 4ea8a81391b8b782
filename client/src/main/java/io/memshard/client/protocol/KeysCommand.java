// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import java.util.List;

/**
 * Facts of a command about the items of many keys, which may belong to several servers.
 *
 * @param <T> the result of the command
 */
public sealed interface KeysCommand<T> extends ItemsCommand<T> permits MetaMultiGet, MetaMultiWrite {

    /** Returns the keys, as they were given. */
    List<String> keys();
}
