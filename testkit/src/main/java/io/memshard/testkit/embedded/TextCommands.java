// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import static java.util.Map.entry;

import io.memshard.testkit.embedded.StoreRequest.Mode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Classic text commands of protocol.txt. Confined to the event loop. */
final class TextCommands {

    private static final String NOREPLY = "noreply";
    private static final int ANY = Integer.MAX_VALUE;

    private interface Handler {
        void execute(List<String> tokens, Session peer) throws BadCommandException;
    }

    private record Verb(int minTokens, int maxTokens, Handler handler) {}

    private final ItemStore store;
    private final StatsCounters stats;
    private final long startSeconds;
    private final Map<String, Verb> verbs = Map.ofEntries(
            entry("get", new Verb(2, ANY, (tokens, peer) -> get(tokens, 1, null, false, peer))),
            entry("gets", new Verb(2, ANY, (tokens, peer) -> get(tokens, 1, null, true, peer))),
            entry("gat", new Verb(2, ANY, (tokens, peer) -> getAndTouch(tokens, false, peer))),
            entry("gats", new Verb(2, ANY, (tokens, peer) -> getAndTouch(tokens, true, peer))),
            entry("set", storage(Mode.SET)),
            entry("add", storage(Mode.ADD)),
            entry("replace", storage(Mode.REPLACE)),
            entry("append", storage(Mode.APPEND)),
            entry("prepend", storage(Mode.PREPEND)),
            entry("cas", new Verb(6, 7, this::compareAndSet)),
            entry("delete", new Verb(2, 4, this::delete)),
            entry("incr", new Verb(3, 4, (tokens, peer) -> delta(tokens, true, peer))),
            entry("decr", new Verb(3, 4, (tokens, peer) -> delta(tokens, false, peer))),
            entry("touch", new Verb(3, 4, this::touch)),
            entry("flush_all", new Verb(1, 3, this::flushAll)),
            entry("stats", new Verb(1, ANY, this::stats)),
            entry("version", new Verb(1, ANY, (tokens, peer) -> peer.reply("VERSION " + Sessions.VERSION))),
            entry("verbosity", new Verb(2, 3, (tokens, peer) -> answer(tokens, "OK", peer))),
            entry("quit", new Verb(1, ANY, (tokens, peer) -> peer.close())));

    TextCommands(ItemStore store, StatsCounters stats) {
        this.store = store;
        this.stats = stats;
        this.startSeconds = store.nowSeconds();
    }

    void execute(List<String> tokens, Session peer) throws BadCommandException {
        store.beginCommand();
        Verb verb = verbs.get(tokens.get(0));
        if (verb == null || tokens.size() < verb.minTokens() || tokens.size() > verb.maxTokens()) {
            throw new BadCommandException("ERROR");
        }
        try {
            verb.handler().execute(tokens, peer);
        } catch (BadCommandException e) {
            if (!isQuiet(tokens) || e.reply().equals("ERROR")) {
                throw e;
            }
        }
    }

    private Verb storage(Mode mode) {
        return new Verb(5, 6, (tokens, peer) -> store(tokens, mode, null, peer));
    }

    private static boolean isQuiet(List<String> tokens) {
        return tokens.get(tokens.size() - 1).equals(NOREPLY)
                && switch (tokens.get(0)) {
                    case "get", "gets", "gat", "gats", "stats" -> false;
                    case "delete" -> tokens.size() > 2; // the second of two words is a key
                    default -> true;
                };
    }

    private static void answer(List<String> tokens, String reply, Session peer) {
        if (!isQuiet(tokens)) {
            peer.reply(reply);
        }
    }

    private static String key(List<String> tokens) throws BadCommandException {
        return checkedKey(tokens.get(1));
    }

    private static String checkedKey(String key) throws BadCommandException {
        if (key.length() > RequestFlags.LONGEST_KEY) {
            throw new BadCommandException(BadCommandException.BAD_FORMAT);
        }
        return key;
    }

    private static int exptime(String token) throws BadCommandException {
        return Numbers.int32(token, "CLIENT_ERROR invalid exptime argument");
    }

    private void getAndTouch(List<String> tokens, boolean withCas, Session peer) throws BadCommandException {
        get(tokens, 2, store.absoluteExptime(exptime(tokens.get(1))), withCas, peer);
    }

    private void get(List<String> tokens, int firstKey, @Nullable Long exptime, boolean withCas, Session peer)
            throws BadCommandException {
        List<String> keys = tokens.subList(firstKey, tokens.size());
        for (String key : keys) {
            Item item = store.find(checkedKey(key));
            stats.countGet(item != null);
            if (exptime != null) {
                stats.countTouch(item != null);
            }
            if (item != null) {
                if (exptime != null) {
                    item.exptime = exptime;
                }
                store.bump(item);
                String header =
                        "VALUE " + key + ' ' + Integer.toUnsignedString(item.clientFlags) + ' ' + item.value.length;
                peer.reply(withCas ? header + ' ' + Long.toUnsignedString(item.cas) : header, item.value);
            }
        }
        peer.reply("END");
    }

    private void compareAndSet(List<String> tokens, Session peer) throws BadCommandException {
        store(tokens, Mode.SET, Numbers.unsigned(tokens.get(5), BadCommandException.BAD_FORMAT), peer);
    }

    private void store(List<String> tokens, Mode mode, @Nullable Long compareCas, Session peer)
            throws BadCommandException {
        String key = key(tokens);
        int flags = (int) Numbers.unsigned(tokens.get(2), BadCommandException.BAD_FORMAT);
        long exptime = store.absoluteExptime(Numbers.int32(tokens.get(3), BadCommandException.BAD_FORMAT));
        int length = Numbers.length(tokens.get(4));
        peer.dropData(length);
        store.requireFits(key, flags, length, mode == Mode.SET && compareCas == null);
        peer.awaitData(length, isQuiet(tokens), data -> {
            stats.count("cmd_set");
            StoreRequest request = new StoreRequest(key, mode, flags, exptime, data, compareCas, false, null, null);
            answer(tokens, store.store(request).outcome().name(), peer);
        });
    }

    private void delete(List<String> tokens, Session peer) throws BadCommandException {
        // An old form of delete has a time after the key, which memcached ignores.
        Item item = store.find(key(tokens));
        stats.countDelete(item != null);
        if (item != null) {
            store.remove(item);
        }
        answer(tokens, item != null ? "DELETED" : "NOT_FOUND", peer);
    }

    private void delta(List<String> tokens, boolean increment, Session peer) throws BadCommandException {
        String key = key(tokens);
        long delta = Numbers.unsigned(tokens.get(2), "CLIENT_ERROR invalid numeric delta argument");
        Item item = store.find(key);
        stats.countDelta(increment, item != null);
        if (item == null) {
            answer(tokens, "NOT_FOUND", peer);
            return;
        }
        long result = store.addDelta(item, increment, delta, null);
        answer(tokens, Long.toUnsignedString(result), peer);
    }

    private void touch(List<String> tokens, Session peer) throws BadCommandException {
        String key = key(tokens);
        long exptime = store.absoluteExptime(exptime(tokens.get(2)));
        Item item = store.find(key);
        stats.countTouch(item != null);
        if (item != null) {
            item.exptime = exptime;
            store.bump(item);
        }
        answer(tokens, item != null ? "TOUCHED" : "NOT_FOUND", peer);
    }

    private void flushAll(List<String> tokens, Session peer) throws BadCommandException {
        boolean hasTime = tokens.size() > (isQuiet(tokens) ? 2 : 1);
        int exptime = hasTime ? exptime(tokens.get(1)) : 0;
        stats.count("cmd_flush");
        store.flush(exptime);
        answer(tokens, "OK", peer);
    }

    private void stats(List<String> tokens, Session peer) throws BadCommandException {
        switch (tokens.size() < 2 ? "" : tokens.get(1)) {
            case "" -> send(stats.snapshot(store, startSeconds), peer);
            case "reset" -> {
                stats.reset();
                peer.reply("RESET");
            }
            case "settings" -> send(Map.of("maxbytes", store.maxBytes(), "item_size_max", store.itemSizeLimit()), peer);
            default -> throw new BadCommandException("ERROR");
        }
    }

    private static void send(Map<String, ?> all, Session peer) {
        all.forEach((name, value) -> peer.reply("STAT " + name + ' ' + value));
        peer.reply("END");
    }
}
