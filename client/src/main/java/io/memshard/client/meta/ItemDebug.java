package io.memshard.client.meta;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/**
 * What the server keeps about an item, for people who debug.
 *
 * <p>Threading: immutable.
 *
 * <p>Protocol: {@code me} in protocol.txt, section "Meta Debug", which names the entries and promises nothing for
 * others. What has no method here, as the {@code exp} whose sign differs between versions, is in {@link #entries}.
 *
 * @param entries all that the server says, by name, in its order and its words
 */
public record ItemDebug(Map<String, String> entries) {

    /** Keeps a view of the entries. */
    public ItemDebug {
        entries = Collections.unmodifiableMap(entries);
    }

    /** {@code la}: the time since the last access, in seconds. */
    public Duration sinceLastAccess() {
        return Duration.ofSeconds(Long.parseLong(entry("la")));
    }

    /** {@code cas}: the cas unique, unsigned. */
    public long casUnique() {
        return Long.parseUnsignedLong(entry("cas"));
    }

    /** {@code fetch}: whether the item was read since it was stored. */
    public boolean isFetched() {
        return entry("fetch").equals("yes");
    }

    /** {@code cls}: the number of the slab class that holds the item. */
    public int slabClass() {
        return Integer.parseInt(entry("cls"));
    }

    /** {@code size}: what the item takes in bytes, with its header and its key. */
    public long sizeBytes() {
        return Long.parseLong(entry("size"));
    }

    private String entry(String name) {
        String text = entries.get(name);
        if (text == null) {
            throw new IllegalStateException("the server says nothing about " + name + ": " + entries);
        }
        return text;
    }
}
