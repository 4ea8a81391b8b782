// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

/** A group of statistics that a server has besides the general ones. */
public enum StatsGroup {
    /** Items by slab class: how many, how old, evictions. */
    ITEMS("items"),
    /** Slab classes: chunk sizes, pages, counters. */
    SLABS("slabs"),
    /** How many items there are of each size, if the server tracks that. */
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

    /** Argument of the command {@code stats} that selects this group. */
    public String argument() {
        return argument;
    }
}
