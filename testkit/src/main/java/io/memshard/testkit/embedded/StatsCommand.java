// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@code stats} commands. Confined to the server's event loop. */
final class StatsCommand {

    private final ItemStore store;
    private final StatsCounters stats;
    private final boolean authenticates;
    private final long startSeconds;

    StatsCommand(ItemStore store, StatsCounters stats, boolean authenticates) {
        this.store = store;
        this.stats = stats;
        this.authenticates = authenticates;
        this.startSeconds = store.nowSeconds();
    }

    void execute(List<String> tokens, Peer peer) throws BadCommandException {
        String group = tokens.size() < 2 ? "" : tokens.get(1);
        switch (group) {
            case "" -> send(stats.snapshot(store, startSeconds), peer);
            case "reset" -> {
                stats.reset();
                peer.reply("RESET");
            }
            case "settings" -> send(settings(), peer);
            case "items" -> send(items(), peer);
            case "slabs" -> send(Map.of("active_slabs", store.size() == 0 ? 0 : 1), peer);
            case "sizes" -> send(Map.of("sizes_status", "disabled"), peer);
            case "conns" -> send(Map.of("1:state", "conn_parse_cmd"), peer);
            case "detail" -> detail(tokens.size() < 3 ? "" : tokens.get(2), peer);
            default -> throw new BadCommandException("ERROR");
        }
    }

    private void detail(String what, Peer peer) throws BadCommandException {
        switch (what) {
            case "on", "off" -> {
                stats.prefixes.turn(what.equals("on"));
                peer.reply("OK");
            }
            case "dump" -> stats.prefixes.dump(peer);
            default -> throw new BadCommandException("CLIENT_ERROR usage: stats detail on|off|dump");
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("maxbytes", store.maxBytes());
        settings.put("maxconns", 1024);
        settings.put("evictions", "on");
        settings.put("num_threads", 1);
        settings.put("stat_key_prefix", ":");
        settings.put("detail_enabled", stats.prefixes.isOn() ? "yes" : "no");
        settings.put("cas_enabled", "yes");
        settings.put("auth_enabled_ascii", authenticates ? "embedded" : "no");
        settings.put("item_size_max", store.itemSizeLimit());
        settings.put("flush_enabled", "yes");
        settings.put("idle_timeout", 0);
        return settings;
    }

    private Map<String, Object> items() {
        Map<String, Object> items = new LinkedHashMap<>();
        if (store.size() > 0) {
            items.put("items:1:number", store.size());
            items.put("items:1:mem_requested", store.usedBytes());
        }
        return items;
    }

    private static void send(Map<String, ?> all, Peer peer) {
        all.forEach((name, value) -> peer.reply("STAT " + name + ' ' + value));
        peer.reply("END");
    }
}
