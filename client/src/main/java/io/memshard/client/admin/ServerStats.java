// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;

/**
 * General statistics of a server. The statistics that all versions of memcached send have methods; {@link #all} has
 * every statistic as the server sent it.
 *
 * <p>Numbers are unsigned and have 64 bits. Counters count from the start of the server, or from the last {@link
 * AdminClient#resetStats}.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: if the server, perhaps a proxy, did not send a number, the method for this number throws a {@link
 * NoSuchElementException} with the name of the number.
 *
 * <p>Protocol: protocol.txt, section "General-purpose statistics".
 *
 * @param all values by name, in the server's order; some may be empty
 */
public record ServerStats(Map<String, String> all) {

    /** Returns the number under {@code name}; empty if the server sent none, or if the value is not a whole number. */
    public OptionalLong number(String name) {
        try {
            return OptionalLong.of(Long.parseUnsignedLong(all.getOrDefault(name, "")));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private long require(String name) {
        return number(name)
                .orElseThrow(
                        () -> new NoSuchElementException("the stats of the server have no number \"" + name + "\""));
    }

    /** Returns {@code version}, such as {@code 1.6.18}; empty if the server sent none. */
    public String version() {
        return all.getOrDefault("version", "");
    }

    /** Returns {@code pid}, the process id of the server. */
    public long pid() {
        return require("pid");
    }

    /** Returns {@code uptime}, the time since the start of the server, in whole seconds. */
    public Duration uptime() {
        return Duration.ofSeconds(require("uptime"));
    }

    /** Returns {@code threads}, the number of threads that serve connections. */
    public long threads() {
        return require("threads");
    }

    /** Returns {@code curr_items}, the current number of items. */
    public long currItems() {
        return require("curr_items");
    }

    /** Returns {@code total_items}, the number of items ever stored. */
    public long totalItems() {
        return require("total_items");
    }

    /** Returns {@code bytes}, the size of all items in bytes. */
    public long bytes() {
        return require("bytes");
    }

    /** Returns {@code limit_maxbytes}, the maximum size of all items in bytes. */
    public long limitMaxbytes() {
        return require("limit_maxbytes");
    }

    /** Returns {@code curr_connections}, the number of open connections. */
    public long currConnections() {
        return require("curr_connections");
    }

    /** Returns {@code total_connections}, the number of connections ever opened. */
    public long totalConnections() {
        return require("total_connections");
    }

    /** Returns {@code cmd_get}, the number of keys requested. */
    public long cmdGet() {
        return require("cmd_get");
    }

    /** Returns {@code cmd_set}, the number of stores requested. */
    public long cmdSet() {
        return require("cmd_set");
    }

    /** Returns {@code get_hits}, the number of requested keys with an item. */
    public long getHits() {
        return require("get_hits");
    }

    /** Returns {@code get_misses}, the number of requested keys without an item. */
    public long getMisses() {
        return require("get_misses");
    }

    /** Returns {@code evictions}, the number of items removed before their expiry to make room for other items. */
    public long evictions() {
        return require("evictions");
    }

    /** Returns {@code bytes_read}, the number of bytes read from the network. */
    public long bytesRead() {
        return require("bytes_read");
    }

    /** Returns {@code bytes_written}, the number of bytes written to the network. */
    public long bytesWritten() {
        return require("bytes_written");
    }
}
