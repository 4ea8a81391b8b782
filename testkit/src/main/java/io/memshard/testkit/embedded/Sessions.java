// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.netty.channel.ChannelHandler;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Items, statistics and users that all connections to one embedded memcached share. One event loop must serve all
 * connections.
 */
public final class Sessions {

    public static final String VERSION = "1.6.27-embedded";

    final StatsCounters stats = new StatsCounters();
    final Map<String, String> users = new HashMap<>();

    final TextCommands textCommands;
    final MetaCommands metaCommands;

    /**
     * Creates the state of an empty server. Both limits are in bytes, and include keys and headers. {@code users} maps
     * user names to passwords; if the map is empty, clients need not authenticate.
     */
    public Sessions(InstantSource clock, long maxBytes, int itemSizeLimit, Map<String, String> users) {
        ItemStore store = new ItemStore(stats, clock, maxBytes, itemSizeLimit);
        users.forEach((name, password) -> this.users.put(asRead(name), asRead(password)));
        textCommands = new TextCommands(store, stats);
        metaCommands = new MetaCommands(store, stats);
    }

    private static String asRead(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    public ChannelHandler newSession() {
        return new Session(this);
    }
}
