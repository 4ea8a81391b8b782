// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/**
 * What the server knows about an item, for debugging.
 *
 * <p>Threading: immutable.
 *
 * <p>Protocol: {@code me} in protocol.txt, section "Meta Debug", which names these entries and promises no others. An
 * entry without a method here is in {@link #entries}, such as {@code exp}, whose sign differs between versions.
 *
 * @param entries all entries by name, in the server's order and as it sends them
 */
public record ItemDebug(Map<String, String> entries) {

    /** Stores a read-only view of the entries. */
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

    /** {@code size}: the bytes that the item takes, with its header and its key. */
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
