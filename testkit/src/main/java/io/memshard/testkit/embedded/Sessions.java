// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.netty.channel.ChannelHandler;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * What the connections to one embedded memcached share: its items, its statistics and its users.
 *
 * <p>{@code Threading}: confined to one event loop, which must serve all connections.
 */
public final class Sessions {

    /** What {@code version} answers: the protocol level, and that this is not the real thing. */
    public static final String VERSION = "1.6.27-embedded";

    private final StatsCounters stats = new StatsCounters();
    private final Map<String, String> users = new HashMap<>();
    private final TextCommands textCommands;
    private final MetaCommands metaCommands;

    /**
     * An empty server.
     *
     * @param clock tells when items expire, read at each command
     * @param maxBytes the memory of all items, keys and headers included
     * @param itemSizeLimit the most bytes of value, key and header of one item
     * @param users passwords by user name, copied; an empty map switches authentication off
     */
    public Sessions(InstantSource clock, long maxBytes, int itemSizeLimit, Map<String, String> users) {
        ItemStore store = new ItemStore(stats, clock, maxBytes, itemSizeLimit);
        users.forEach((name, password) -> this.users.put(asRead(name), asRead(password)));
        textCommands = new TextCommands(store, stats, new StatsCommand(store, stats, !users.isEmpty()));
        metaCommands = new MetaCommands(store, stats);
    }

    /** A session reads one character a byte. */
    private static String asRead(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The handler of one new connection. */
    public ChannelHandler newSession() {
        PasswordCheck passwordCheck = users.isEmpty() ? null : new PasswordCheck(users, stats);
        return new Session(passwordCheck, textCommands, metaCommands, stats);
    }
}
