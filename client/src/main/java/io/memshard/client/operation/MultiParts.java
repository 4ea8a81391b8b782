// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.sender.CommandSender;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Splitter of many keys into parts, none of which keeps a connection busy for long. */
final class MultiParts {

    /**
     * Maximum size of a part in bytes, unless its first item alone is longer. The limit is well below the 64 KiB of a
     * connection's buffers, so that one write sends a part.
     */
    static final int MAX_BYTES = 32 * 1024;

    /** Maximum length of a request line. Some services refuse lines of 16 KiB, some versions of memcached 64 KiB. */
    static final int MAX_LINE_BYTES = 15_000;

    /** Approximate length of the verb, the flags and the opaque in the request for a key, in bytes. */
    static final int FLAGS_BYTES = 64;

    private MultiParts() {}

    /**
     * Splits the items of each server into parts, in order. The returned lists are mutable.
     *
     * @param key function that returns the key of an item
     * @param bytes function that returns the approximate length of the request for an item
     * @param maxBytes maximum sum of these lengths in a part
     * @param part maker of a part from its items
     */
    static <I, P> Map<CommandSender, List<P>> of(
            CommandSender sender,
            List<I> items,
            Function<I, String> key,
            ToIntFunction<I> bytes,
            int maxBytes,
            Function<List<I>, P> part) {
        Map<CommandSender, List<P>> parts = new LinkedHashMap<>();
        if (!items.isEmpty()) {
            sender.byServer(items, key).forEach((server, group) -> {
                List<P> ofServer = new ArrayList<>();
                of(group, bytes, maxBytes).forEach(cut -> ofServer.add(part.apply(cut)));
                parts.put(server, ofServer);
            });
        }
        return parts;
    }

    /**
     * Splits {@code all} into parts, in order.
     *
     * @param bytes function that returns the approximate length of the request for one element
     * @param maxBytes maximum sum of these lengths in a part
     */
    static <T> List<List<T>> of(List<T> all, ToIntFunction<T> bytes, int maxBytes) {
        List<List<T>> parts = new ArrayList<>();
        int from = 0;
        long length = 0;
        for (int at = 0; at < all.size(); at++) {
            int more = bytes.applyAsInt(all.get(at));
            if (at > from && (at - from == KeysCommand.MAX_KEYS || length + more > maxBytes)) {
                parts.add(all.subList(from, at));
                from = at;
                length = 0;
            }
            length += more;
        }
        if (from < all.size()) {
            parts.add(all.subList(from, all.size()));
        }
        return parts;
    }
}
