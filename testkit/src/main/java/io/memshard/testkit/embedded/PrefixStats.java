// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts of commands by key prefix, the part before the first colon, for {@code stats detail}. Classic get, store and
 * delete commands count, as in memcached 1.6.18. Confined to the server's event loop.
 */
final class PrefixStats {

    private static final class Counters {
        long gets;
        long hits;
        long sets;
        long deletes;
    }

    private final Map<String, Counters> prefixes = new LinkedHashMap<>();
    private boolean on;

    void turn(boolean counting) {
        on = counting;
    }

    boolean isOn() {
        return on;
    }

    void countGet(String key, boolean hit) {
        Counters counters = counters(key);
        counters.gets++;
        counters.hits += hit ? 1 : 0;
    }

    void countSet(String key) {
        counters(key).sets++;
    }

    void countDelete(String key) {
        counters(key).deletes++;
    }

    /**
     * Returns the counters of the key's prefix. For a key without a prefix, or while counting is off, returns counters
     * that are discarded.
     */
    private Counters counters(String key) {
        int colon = key.indexOf(':');
        return on && colon >= 0
                ? prefixes.computeIfAbsent(key.substring(0, colon), prefix -> new Counters())
                : new Counters();
    }

    void clear() {
        prefixes.clear();
    }

    void dump(Peer peer) {
        prefixes.forEach((prefix, c) -> peer.reply(
                "PREFIX " + prefix + " get " + c.gets + " hit " + c.hits + " set " + c.sets + " del " + c.deletes));
        peer.reply("END");
    }
}
