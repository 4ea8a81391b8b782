// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Counters that the command {@code stats} reports, under memcached's names. Confined to the server's event loop. */
final class StatsCounters {

    private static final String[] COUNTED = {
        "total_connections",
        "rejected_connections",
        "cmd_get",
        "cmd_set",
        "cmd_flush",
        "cmd_touch",
        "cmd_meta",
        "get_hits",
        "get_misses",
        "get_expired",
        "delete_misses",
        "delete_hits",
        "incr_misses",
        "incr_hits",
        "decr_misses",
        "decr_hits",
        "cas_misses",
        "cas_hits",
        "cas_badval",
        "touch_hits",
        "touch_misses",
        "store_too_large",
        "bytes_read",
        "bytes_written",
        "total_items",
        "evictions"
    };

    long currConnections;

    private final Map<String, Long> counters = new LinkedHashMap<>();

    StatsCounters() {
        reset();
    }

    void count(String name) {
        add(name, 1);
    }

    void add(String name, long more) {
        counters.merge(name, more, Long::sum);
    }

    void countGet(boolean hit) {
        count("cmd_get");
        count(hit ? "get_hits" : "get_misses");
    }

    void countTouch(boolean hit) {
        count("cmd_touch");
        count(hit ? "touch_hits" : "touch_misses");
    }

    void countDelete(boolean hit) {
        count(hit ? "delete_hits" : "delete_misses");
    }

    void countDelta(boolean increment, boolean hit) {
        count((increment ? "incr" : "decr") + (hit ? "_hits" : "_misses"));
    }

    /** Resets the counters, but not current values such as the number of connections, as {@code stats reset} does. */
    void reset() {
        Stream.of(COUNTED).forEach(name -> counters.put(name, 0L));
    }

    Map<String, Object> snapshot(ItemStore store, long startSeconds) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("pid", ProcessHandle.current().pid());
        all.put("uptime", store.nowSeconds() - startSeconds);
        all.put("time", store.nowSeconds());
        all.put("version", Sessions.VERSION);
        all.put("pointer_size", 64);
        all.put("max_connections", 1024);
        all.put("curr_connections", currConnections);
        all.putAll(counters);
        all.put("limit_maxbytes", store.maxBytes());
        all.put("accepting_conns", 1);
        all.put("threads", 1);
        all.put("bytes", store.usedBytes());
        all.put("curr_items", store.size());
        return all;
    }
}
