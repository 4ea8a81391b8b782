package io.memshard.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@code stats} family. Confined to the server's event loop. */
final class StatsCommand {

    private final ItemStore store;
    private final ServerStats stats;
    private final boolean authenticates;
    private final long startSeconds;

    StatsCommand(ItemStore store, ServerStats stats, boolean authenticates) {
        this.store = store;
        this.stats = stats;
        this.authenticates = authenticates;
        this.startSeconds = store.nowSeconds();
    }

    void execute(List<String> tokens, Exchange exchange) throws BadCommandException {
        String group = tokens.size() < 2 ? "" : tokens.get(1);
        switch (group) {
            case "" -> send(stats.snapshot(store, startSeconds), exchange);
            case "reset" -> {
                stats.reset();
                exchange.reply("RESET");
            }
            case "settings" -> send(settings(), exchange);
            case "items" -> send(items(), exchange);
            case "slabs" -> send(Map.of("active_slabs", store.size() == 0 ? 0 : 1), exchange);
            case "sizes" -> sizes(exchange);
            case "sizes_enable" -> {
                store.startCountingSizes();
                exchange.reply("STAT sizes_status enabled"); // and no END
            }
            case "sizes_disable" -> {
                store.stopCountingSizes();
                exchange.reply("STAT sizes_status disabled");
            }
            case "conns" -> send(Map.of("1:state", "conn_parse_cmd"), exchange);
            case "detail" -> detail(tokens.size() < 3 ? "" : tokens.get(2), exchange);
            default -> throw new BadCommandException("ERROR");
        }
    }

    private void sizes(Exchange exchange) {
        if (store.countsSizes()) {
            store.sizes().forEach((size, count) -> exchange.reply("STAT " + size + ' ' + count));
            exchange.reply("END");
        } else {
            send(Map.of("sizes_status", "disabled"), exchange);
        }
    }

    private void detail(String what, Exchange exchange) throws BadCommandException {
        switch (what) {
            case "on", "off" -> {
                stats.prefixes.turn(what.equals("on"));
                exchange.reply("OK");
            }
            case "dump" -> stats.prefixes.dump(exchange);
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

    private static void send(Map<String, ?> all, Exchange exchange) {
        all.forEach((name, value) -> exchange.reply("STAT " + name + ' ' + value));
        exchange.reply("END");
    }
}
