// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counters of {@code stats}, under memcached's names. Confined to the server's event loop. */
final class StatsCounters {

    final PrefixStats prefixes = new PrefixStats();

    long currConnections;
    long totalConnections;
    long cmdGet;
    long cmdSet;
    long cmdFlush;
    long cmdTouch;
    long cmdMeta;
    long getHits;
    long getMisses;
    long getExpired;
    long getFlushed;
    long deleteMisses;
    long deleteHits;
    long incrMisses;
    long incrHits;
    long decrMisses;
    long decrHits;
    long casMisses;
    long casHits;
    long casBadval;
    long touchHits;
    long touchMisses;
    long storeTooLarge;
    long authCmds;
    long authErrors;
    long bytesRead;
    long bytesWritten;
    long totalItems;
    long evictions;

    void countGet(boolean hit) {
        cmdGet++;
        if (hit) {
            getHits++;
        } else {
            getMisses++;
        }
    }

    void countTouch(boolean hit) {
        cmdTouch++;
        if (hit) {
            touchHits++;
        } else {
            touchMisses++;
        }
    }

    void countDelete(boolean hit) {
        if (hit) {
            deleteHits++;
        } else {
            deleteMisses++;
        }
    }

    void countDelta(boolean increment, boolean hit) {
        if (increment) {
            incrHits += hit ? 1 : 0;
            incrMisses += hit ? 0 : 1;
        } else {
            decrHits += hit ? 1 : 0;
            decrMisses += hit ? 0 : 1;
        }
    }

    /** Resets the counters, as {@code stats reset} does, but not the values of the current state. */
    void reset() {
        prefixes.clear();
        totalConnections = 0;
        cmdGet = 0;
        cmdSet = 0;
        cmdFlush = 0;
        cmdTouch = 0;
        cmdMeta = 0;
        getHits = 0;
        getMisses = 0;
        getExpired = 0;
        getFlushed = 0;
        deleteMisses = 0;
        deleteHits = 0;
        incrMisses = 0;
        incrHits = 0;
        decrMisses = 0;
        decrHits = 0;
        casMisses = 0;
        casHits = 0;
        casBadval = 0;
        touchHits = 0;
        touchMisses = 0;
        storeTooLarge = 0;
        authCmds = 0;
        authErrors = 0;
        bytesRead = 0;
        bytesWritten = 0;
        totalItems = 0;
        evictions = 0;
    }

    /** Returns names and values, both state and counters, in memcached's order. */
    Map<String, Object> snapshot(ItemStore store, long startSeconds) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("pid", ProcessHandle.current().pid());
        all.put("uptime", store.nowSeconds() - startSeconds);
        all.put("time", store.nowSeconds());
        all.put("version", Sessions.VERSION);
        all.put("pointer_size", 64);
        all.put("max_connections", 1024);
        all.put("curr_connections", currConnections);
        all.put("total_connections", totalConnections);
        all.put("rejected_connections", 0);
        all.put("cmd_get", cmdGet);
        all.put("cmd_set", cmdSet);
        all.put("cmd_flush", cmdFlush);
        all.put("cmd_touch", cmdTouch);
        all.put("cmd_meta", cmdMeta);
        all.put("get_hits", getHits);
        all.put("get_misses", getMisses);
        all.put("get_expired", getExpired);
        all.put("get_flushed", getFlushed);
        all.put("delete_misses", deleteMisses);
        all.put("delete_hits", deleteHits);
        all.put("incr_misses", incrMisses);
        all.put("incr_hits", incrHits);
        all.put("decr_misses", decrMisses);
        all.put("decr_hits", decrHits);
        all.put("cas_misses", casMisses);
        all.put("cas_hits", casHits);
        all.put("cas_badval", casBadval);
        all.put("touch_hits", touchHits);
        all.put("touch_misses", touchMisses);
        all.put("store_too_large", storeTooLarge);
        all.put("auth_cmds", authCmds);
        all.put("auth_errors", authErrors);
        all.put("bytes_read", bytesRead);
        all.put("bytes_written", bytesWritten);
        all.put("limit_maxbytes", store.maxBytes());
        all.put("accepting_conns", 1);
        all.put("threads", 1);
        all.put("bytes", store.usedBytes());
        all.put("curr_items", store.size());
        all.put("total_items", totalItems);
        all.put("evictions", evictions);
        return all;
    }
}
