// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import io.memshard.testkit.embedded.StoreRequest.Outcome;
import io.memshard.testkit.embedded.StoreRequest.Result;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Items of the embedded memcached. Confined to the server's event loop. */
final class ItemStore {

    static final int LONGEST_RELATIVE_EXPTIME_SECONDS = 60 * 60 * 24 * 30;

    private static final long NEVER = Long.MAX_VALUE;

    /** Items in the order of their last use. Each use moves the item to the end. */
    private final Map<String, Item> items = new LinkedHashMap<>();

    private final StatsCounters stats;
    private final InstantSource clock;
    private final int itemSizeLimit;
    private long nowSeconds;
    private final long maxBytes;
    private long usedBytes;
    private long lastCas;

    private long flushSecond = NEVER;

    ItemStore(StatsCounters stats, InstantSource clock, long maxBytes, int itemSizeLimit) {
        this.stats = stats;
        this.clock = clock;
        this.maxBytes = maxBytes;
        this.itemSizeLimit = itemSizeLimit;
        beginCommand();
    }

    /** Reads the clock once for each command. Otherwise an item might expire within the command that stores it. */
    void beginCommand() {
        nowSeconds = clock.instant().getEpochSecond();
        flushIfDue();
    }

    long nowSeconds() {
        return nowSeconds;
    }

    long absoluteExptime(int exptime) {
        if (exptime == 0) {
            return 0;
        }
        return exptime <= LONGEST_RELATIVE_EXPTIME_SECONDS ? nowSeconds + Math.max(exptime, 0) : exptime;
    }

    /** Returns the item without marking it as used. If the item has expired, removes it and returns null. */
    @Nullable
    Item find(String key) {
        Item item = items.get(key);
        if (item == null || !item.isExpired(nowSeconds)) {
            return item;
        }
        remove(item);
        stats.count("get_expired");
        return null;
    }

    void bump(Item item) {
        item.fetched = true;
        moveToMostRecent(item);
    }

    private void moveToMostRecent(Item item) {
        item.lastAccess = nowSeconds;
        items.remove(item.key);
        items.put(item.key, item);
    }

    private boolean fits(String key, int clientFlags, long valueLength) {
        return Item.sizeBytes(key, clientFlags, valueLength) <= itemSizeLimit;
    }

    void requireFits(String key, int clientFlags, int valueLength, boolean replaces) throws BadCommandException {
        if (!fits(key, clientFlags, valueLength)) {
            stats.count("store_too_large");
            Item old = find(key);
            if (old != null && replaces) {
                remove(old);
            }
            throw new BadCommandException("SERVER_ERROR object too large for cache");
        }
    }

    Result store(StoreRequest request) {
        Item old = find(request.key());
        return switch (request.mode()) {
            case ADD -> {
                if (old != null) {
                    moveToMostRecent(old); // requested, but not fetched
                    yield new Result(Outcome.NOT_STORED, null);
                }
                yield stored(request);
            }
            case SET, REPLACE -> {
                if (request.compareCas() != null) {
                    yield compareAndStore(request, old, request.compareCas());
                }
                boolean allowed = old != null || request.mode() == StoreRequest.Mode.SET;
                yield allowed ? stored(request) : new Result(Outcome.NOT_STORED, null);
            }
            case APPEND, PREPEND -> extend(request, old);
        };
    }

    private Result compareAndStore(StoreRequest request, @Nullable Item old, long compareCas) {
        if (old == null) {
            stats.count("cas_misses");
            return new Result(Outcome.NOT_FOUND, null);
        }
        if (old.cas == compareCas) {
            stats.count("cas_hits");
            return stored(request);
        }
        if (request.invalidate() && compareCas != 0 && Long.compareUnsigned(compareCas, old.cas) < 0) {
            Result result = stored(request);
            Item item = result.item();
            if (item != null) {
                item.exptime = old.exptime;
                item.stale = true;
                item.tokenSent = old.tokenSent;
            }
            return result;
        }
        stats.count("cas_badval");
        return new Result(Outcome.EXISTS, null);
    }

    private Result extend(StoreRequest request, @Nullable Item old) {
        if (old == null) {
            Long vivifyExptime = request.vivifyExptime();
            if (vivifyExptime == null) {
                return new Result(Outcome.NOT_STORED, null);
            }
            Item created = new Item(request.key(), request.clientFlags(), vivifyExptime, request.value());
            return new Result(Outcome.STORED, put(created, request.explicitCas()));
        }
        // For an append or prepend, a cas of 0 matches any item.
        Long compareCas = request.compareCas();
        if (compareCas != null && compareCas != 0 && compareCas != old.cas) {
            return new Result(Outcome.EXISTS, null);
        }
        byte[] added = request.value();
        if (!fits(old.key, old.clientFlags, (long) old.value.length + added.length)) {
            return new Result(Outcome.NOT_STORED, null);
        }
        byte[] joined = new byte[old.value.length + added.length];
        boolean append = request.mode() == StoreRequest.Mode.APPEND;
        System.arraycopy(old.value, 0, joined, append ? 0 : added.length, old.value.length);
        System.arraycopy(added, 0, joined, append ? old.value.length : 0, added.length);
        Item item = new Item(old.key, old.clientFlags, old.exptime, joined);
        return new Result(Outcome.STORED, put(item, request.explicitCas()));
    }

    private Result stored(StoreRequest request) {
        Item item = new Item(request.key(), request.clientFlags(), request.exptime(), request.value());
        return new Result(Outcome.STORED, put(item, request.explicitCas()));
    }

    Item put(Item item, @Nullable Long explicitCas) {
        renewCas(item, explicitCas);
        item.lastAccess = nowSeconds;
        Item old = items.remove(item.key);
        if (old != null) {
            usedBytes -= old.sizeBytes();
        }
        items.put(item.key, item);
        usedBytes += item.sizeBytes();
        stats.count("total_items");
        evictDownToLimit();
        return item;
    }

    private void evictDownToLimit() {
        Iterator<Item> leastRecent = items.values().iterator();
        while (usedBytes > maxBytes && items.size() > 1) {
            Item victim = leastRecent.next();
            leastRecent.remove();
            usedBytes -= victim.sizeBytes();
            stats.add("evictions", victim.isExpired(nowSeconds) ? 0 : 1);
        }
    }

    void renewCas(Item item, @Nullable Long explicitCas) {
        item.cas = explicitCas != null ? explicitCas : ++lastCas;
    }

    void remove(Item item) {
        if (items.remove(item.key, item)) {
            usedBytes -= item.sizeBytes();
        }
    }

    /** Adds {@code delta} modulo 2^64, or subtracts it down to 0. A longer result is stored as a new item. */
    long addDelta(Item item, boolean increment, long delta, @Nullable Long explicitCas) throws BadCommandException {
        // A number that became shorter was padded with spaces.
        String number = new String(item.value, StandardCharsets.ISO_8859_1).stripTrailing();
        long before = Numbers.unsigned(number, "CLIENT_ERROR cannot increment or decrement non-numeric value");
        long floored = Long.compareUnsigned(delta, before) > 0 ? 0 : before - delta;
        long after = increment ? before + delta : floored;
        byte[] digits = Long.toUnsignedString(after).getBytes(StandardCharsets.ISO_8859_1);
        if (digits.length <= item.value.length) {
            item.overwritePadded(digits);
            renewCas(item, explicitCas);
            moveToMostRecent(item); // changed, but not fetched
        } else {
            Item longer = new Item(item.key, item.clientFlags, item.exptime, digits);
            item.cas = put(longer, explicitCas).cas; // the server answers from the replaced item
        }
        return after;
    }

    /** Removes all items at {@code exptime}, or at once if not positive. Cancels an earlier flush that is not due. */
    void flush(int exptime) {
        flushSecond = exptime > 0 ? absoluteExptime(exptime) : nowSeconds;
        flushIfDue();
    }

    private void flushIfDue() {
        if (flushSecond <= nowSeconds) {
            items.clear();
            usedBytes = 0;
            flushSecond = NEVER;
        }
    }

    int size() {
        return items.size();
    }

    long usedBytes() {
        return usedBytes;
    }

    long maxBytes() {
        return maxBytes;
    }

    int itemSizeLimit() {
        return itemSizeLimit;
    }
}
