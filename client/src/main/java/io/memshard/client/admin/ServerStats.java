// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;

/**
 * The general statistics of a server. Those that every memcached has are methods; all are there as the server sent
 * them.
 *
 * <p>Numbers are unsigned 64-bit. Counters run from the start of the server, or from the last {@link
 * AdminClient#resetStats}.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: a method for a number that the server did not send, as proxies may not, throws {@link
 * NoSuchElementException} with its name.
 *
 * <p>Protocol: protocol.txt, section "General-purpose statistics".
 *
 * @param all the values by their names, in the server's order; some may be empty
 */
public record ServerStats(Map<String, String> all) {

    /** The number under {@code name}; empty if the server has none, or if it is not a whole number. */
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
                        () -> new NoSuchElementException("the server has no number \"" + name + "\" in its stats"));
    }

    /** {@code version}, such as {@code 1.6.18}; empty if the server sent none. */
    public String version() {
        return all.getOrDefault("version", "");
    }

    /** {@code pid}: the process id of the server. */
    public long pid() {
        return require("pid");
    }

    /** {@code uptime}: how long the server has been running, in whole seconds. */
    public Duration uptime() {
        return Duration.ofSeconds(require("uptime"));
    }

    /** {@code threads}: how many threads serve connections. */
    public long threads() {
        return require("threads");
    }

    /** {@code curr_items}: how many items there are. */
    public long currItems() {
        return require("curr_items");
    }

    /** {@code total_items}: how many items were ever stored. */
    public long totalItems() {
        return require("total_items");
    }

    /** {@code bytes}: how many bytes the items take. */
    public long bytes() {
        return require("bytes");
    }

    /** {@code limit_maxbytes}: how many bytes the items may take. */
    public long limitMaxbytes() {
        return require("limit_maxbytes");
    }

    /** {@code curr_connections}: how many connections are open. */
    public long currConnections() {
        return require("curr_connections");
    }

    /** {@code total_connections}: how many connections were ever opened. */
    public long totalConnections() {
        return require("total_connections");
    }

    /** {@code cmd_get}: how many keys were requested. */
    public long cmdGet() {
        return require("cmd_get");
    }

    /** {@code cmd_set}: how many stores were requested. */
    public long cmdSet() {
        return require("cmd_set");
    }

    /** {@code get_hits}: how many requested keys had an item. */
    public long getHits() {
        return require("get_hits");
    }

    /** {@code get_misses}: how many requested keys had no item. */
    public long getMisses() {
        return require("get_misses");
    }

    /** {@code evictions}: how many items were removed before they expired, to make room for others. */
    public long evictions() {
        return require("evictions");
    }

    /** {@code bytes_read}: how many bytes came over the network. */
    public long bytesRead() {
        return require("bytes_read");
    }

    /** {@code bytes_written}: how many bytes left over the network. */
    public long bytesWritten() {
        return require("bytes_written");
    }
}
