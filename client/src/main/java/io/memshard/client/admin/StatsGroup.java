// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

/** Groups of a server's statistics in addition to the general statistics. */
public enum StatsGroup {
    /** Items by slab class: number, age, evictions. */
    ITEMS("items"),
    /** Slab classes: chunk sizes, pages, counters. */
    SLABS("slabs"),
    /** Number of items of each size, if the server tracks sizes. */
    SIZES("sizes"),
    /** The server's settings. */
    SETTINGS("settings"),
    /** The server's connections: addresses, states, idle times. */
    CONNS("conns"),
    /** Commands by key prefix, after {@link AdminClient#countPrefixes} started counting. */
    DETAIL("detail dump");

    private final String argument;

    StatsGroup(String argument) {
        this.argument = argument;
    }

    /** Returns the argument of the command {@code stats} that selects this group. */
    public String argument() {
        return argument;
    }
}
