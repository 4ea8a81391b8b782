// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.memshard.testkit.embedded.StoreRequest.Mode;
import io.memshard.testkit.embedded.StoreRequest.Outcome;
import io.memshard.testkit.embedded.StoreRequest.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of protocol.txt, "Meta Commands". Confined to the server's event loop. */
final class MetaCommands {

    private static final byte[] EMPTY = new byte[0];

    private final ItemStore store;
    private final StatsCounters stats;

    MetaCommands(ItemStore store, StatsCounters stats) {
        this.store = store;
        this.stats = stats;
    }

    static boolean isMeta(String word) {
        return word.length() == 2 && word.charAt(0) == 'm';
    }

    void execute(List<String> tokens, Session peer) throws BadCommandException {
        store.beginCommand();
        switch (tokens.get(0)) {
            case "mg" -> get(tokens, peer);
            case "ms" -> set(tokens, peer);
            case "md" -> delete(tokens, peer);
            case "ma" -> arithmetic(tokens, peer);
            case "mn" -> peer.reply("MN");
            case "me" -> debug(tokens, peer);
            default -> throw new BadCommandException("ERROR");
        }
        stats.count("cmd_meta");
    }

    private void get(List<String> tokens, Session peer) throws BadCommandException {
        RequestFlags flags = new RequestFlags(tokens, 2, store);
        Item item = store.find(flags.key);
        stats.countGet(item != null);
        boolean created = false;
        if (item == null && flags.vivifyExptime != null) {
            item = vivify(flags, EMPTY);
            created = true;
        }
        if (item == null) {
            if (!flags.has('q')) {
                peer.reply(echoed("EN", flags));
            }
            return;
        }
        String line = hitLine(item, flags, created);
        if (!flags.has('u')) {
            store.bump(item);
        }
        if (flags.has('v')) {
            peer.reply(line, item.value);
        } else {
            peer.reply(line);
        }
    }

    /** Stores a new item, which never expires until {@link #hitLine} applies the {@code N} flag. */
    private Item vivify(RequestFlags flags, byte[] value) {
        return store.put(new Item(flags.key, 0, 0, value), flags.explicitCas);
    }

    private static long orNever(@Nullable Long exptime) {
        return exptime == null ? 0 : exptime;
    }

    private String hitLine(Item item, RequestFlags flags, boolean created) {
        long now = store.nowSeconds();
        boolean won = created;
        StringBuilder line = new StringBuilder(flags.has('v') ? "VA " + item.value.length : "HD");
        for (String flag : flags.inOrder()) {
            switch (flag.charAt(0)) {
                case 'N' -> item.exptime = created ? orNever(flags.vivifyExptime) : item.exptime;
                case 'T' -> {
                    item.exptime = orNever(flags.newExptime);
                    stats.countTouch(true);
                }
                case 'R' ->
                    won |= !item.tokenSent
                            && item.exptime != 0
                            && flags.recacheExptime != null
                            && item.exptime < flags.recacheExptime;
                case 's' -> line.append(" s").append(item.value.length);
                case 't' -> line.append(" t").append(item.ttl(now));
                case 'c' -> line.append(" c").append(Long.toUnsignedString(item.cas));
                case 'f' -> line.append(" f").append(Integer.toUnsignedString(item.clientFlags));
                case 'l' -> line.append(" l").append(now - item.lastAccess);
                case 'h' -> line.append(" h").append(item.fetched ? 1 : 0);
                default -> flags.appendEcho(line, flag);
            }
        }
        if (item.tokenSent) {
            line.append(" Z");
        }
        if (item.stale) {
            line.append(" X");
            won |= !item.tokenSent;
        }
        if (won) {
            line.append(" W");
            item.tokenSent = true;
        }
        return line.toString();
    }

    private void set(List<String> tokens, Session peer) throws BadCommandException {
        if (tokens.size() < 3) {
            throw new BadCommandException(BadCommandException.BAD_FORMAT);
        }
        int length = Numbers.length(tokens.get(2));
        peer.dropData(length);
        RequestFlags flags = new RequestFlags(tokens, 3, store);
        Mode mode = storeMode(flags);
        store.requireFits(flags.key, flags.clientFlags, length, true);
        peer.awaitData(length, false, data -> store(flags, mode, data, peer));
    }

    private static Mode storeMode(RequestFlags flags) throws BadCommandException {
        return switch (flags.mode) {
            case 0, 'S' -> Mode.SET;
            case 'E' -> Mode.ADD;
            case 'R' -> Mode.REPLACE;
            case 'A' -> Mode.APPEND;
            case 'P' -> Mode.PREPEND;
            default -> throw new BadCommandException("CLIENT_ERROR invalid mode for ms M token");
        };
    }

    private void store(RequestFlags flags, Mode mode, byte[] data, Session peer) {
        stats.count("cmd_set");
        Result result = store.store(new StoreRequest(
                flags.key,
                mode,
                flags.clientFlags,
                orNever(flags.newExptime),
                data,
                flags.compareCas,
                flags.has('I'),
                flags.vivifyExptime,
                flags.explicitCas));
        Item item = result.item();
        if (result.outcome() == Outcome.STORED && flags.has('q')) {
            return;
        }
        StringBuilder line = new StringBuilder(
                switch (result.outcome()) {
                    case STORED -> "HD";
                    case NOT_STORED -> "NS";
                    case EXISTS -> "EX";
                    case NOT_FOUND -> "NF";
                });
        for (String flag : flags.inOrder()) {
            if (flag.charAt(0) == 'c') {
                line.append(" c").append(item == null ? "0" : Long.toUnsignedString(item.cas));
            } else {
                flags.appendEcho(line, flag);
            }
        }
        peer.reply(line.toString());
    }

    private static String echoed(String code, RequestFlags flags) {
        StringBuilder line = new StringBuilder(code);
        for (String flag : flags.inOrder()) {
            flags.appendEcho(line, flag);
        }
        return line.toString();
    }

    private void delete(List<String> tokens, Session peer) throws BadCommandException {
        RequestFlags flags = new RequestFlags(tokens, 2, store);
        Item item = store.find(flags.key);
        stats.countDelete(item != null);
        if (item == null) {
            peer.reply(echoed("NF", flags));
        } else if (flags.compareCas != null && flags.compareCas != item.cas) {
            peer.reply(echoed("EX", flags));
        } else {
            if (flags.has('I') || flags.has('x')) {
                invalidate(item, flags);
            } else {
                store.remove(item);
            }
            if (!flags.has('q')) {
                peer.reply(echoed("HD", flags));
            }
        }
    }

    private void invalidate(Item item, RequestFlags flags) {
        Item remaining = item;
        if (flags.has('x')) {
            remaining = new Item(item.key, 0, item.exptime, EMPTY);
            remaining.stale = item.stale;
            store.put(remaining, flags.explicitCas);
        } else {
            store.renewCas(item, flags.explicitCas);
        }
        if (flags.newExptime != null) {
            remaining.exptime = flags.newExptime;
        }
        if (flags.has('I')) {
            remaining.stale = true;
            remaining.tokenSent = false;
        }
    }

    private void arithmetic(List<String> tokens, Session peer) throws BadCommandException {
        RequestFlags flags = new RequestFlags(tokens, 2, store);
        boolean increment = switch (flags.mode) {
            case 0, 'I', '+' -> true;
            case 'D', '-' -> false;
            default -> throw new BadCommandException("CLIENT_ERROR invalid mode for ma M token");
        };
        Item item = store.find(flags.key);
        stats.countDelta(increment, item != null);
        if (item == null) {
            vivifyNumber(flags, peer);
            return;
        }
        // For ma, a cas of 0 matches any item. Without a value, memcached ignores the cas.
        Long cas = flags.compareCas;
        if (cas != null && cas != 0 && item.value.length > 0 && cas != item.cas) {
            peer.reply(echoed("EX", flags));
            return;
        }
        long number = store.addDelta(item, increment, flags.delta, flags.explicitCas);
        String line = numberLine(item, number, false, flags);
        if (!flags.has('q')) {
            peer.reply(line);
        }
    }

    private void vivifyNumber(RequestFlags flags, Session peer) {
        if (flags.vivifyExptime == null) {
            peer.reply(echoed("NF", flags));
            return;
        }
        byte[] digits = Long.toUnsignedString(flags.initial).getBytes(StandardCharsets.ISO_8859_1);
        Item item = vivify(flags, digits);
        peer.reply(numberLine(item, flags.initial, true, flags));
    }

    private String numberLine(Item item, long number, boolean created, RequestFlags flags) {
        String digits = Long.toUnsignedString(number);
        StringBuilder line = new StringBuilder(flags.has('v') ? "VA " + digits.length() : "HD");
        for (String flag : flags.inOrder()) {
            switch (flag.charAt(0)) {
                case 'N' -> item.exptime = created ? orNever(flags.vivifyExptime) : item.exptime;
                case 'T' -> item.exptime = orNever(flags.newExptime);
                case 't' -> line.append(" t").append(item.ttl(store.nowSeconds()));
                case 'c' -> line.append(" c").append(Long.toUnsignedString(item.cas));
                default -> flags.appendEcho(line, flag);
            }
        }
        return flags.has('v') ? line + "\r\n" + digits : line.toString();
    }

    private void debug(List<String> tokens, Session peer) throws BadCommandException {
        RequestFlags flags = new RequestFlags(tokens, 2, store);
        Item item = store.find(flags.key);
        peer.reply(item == null ? "EN" : debugLine(item, flags));
    }

    private String debugLine(Item item, RequestFlags flags) {
        long now = store.nowSeconds();
        return "ME " + flags.shownKey()
                // For me, memcached inverts the sign of the remaining time.
                + " exp=" + (item.exptime == 0 ? -1 : now - item.exptime)
                + " la=" + (now - item.lastAccess)
                + " cas=" + Long.toUnsignedString(item.cas)
                + " fetch=" + (item.fetched ? "yes" : "no")
                + " cls=1 size=" + item.sizeBytes();
    }
}
