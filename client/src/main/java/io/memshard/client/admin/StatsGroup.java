// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

/** Groups of a server's statistics, besides the general statistics. */
public enum StatsGroup {
    /** Statistics of items by slab class, such as the number, age and evictions of the items. */
    ITEMS("items"),
    /** Statistics of slab classes, such as chunk sizes, pages and counters. */
    SLABS("slabs"),
    /** Number of items of each size, if the server tracks sizes. */
    SIZES("sizes"),
    /** Settings of the server. */
    SETTINGS("settings"),
    /** Connections of the server, with their addresses, states and idle times. */
    CONNS("conns"),
    /** Numbers of commands by key prefix, once {@link AdminClient#countPrefixes} has started counting. */
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
