// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.meta;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/**
 * The server's internal data about an item, for debugging.
 *
 * <p>Threading: immutable.
 *
 * <p>Protocol: {@code me} in protocol.txt, section "Meta Debug", which names these entries and guarantees no others.
 * Entries without a method are in {@link #entries}, such as {@code exp}, whose sign differs between versions.
 *
 * @param entries all entries by name, unchanged and in the server's order
 */
public record ItemDebug(Map<String, String> entries) {

    /** Stores a read-only view of the entries. */
    public ItemDebug {
        entries = Collections.unmodifiableMap(entries);
    }

    /** Returns {@code la}, the time since the last access, in whole seconds. */
    public Duration sinceLastAccess() {
        return Duration.ofSeconds(Long.parseLong(entry("la")));
    }

    /** Returns {@code cas}, the cas unique, unsigned. */
    public long casUnique() {
        return Long.parseUnsignedLong(entry("cas"));
    }

    /** Returns {@code fetch}, whether the item was read since it was stored. */
    public boolean isFetched() {
        return entry("fetch").equals("yes");
    }

    /** Returns {@code cls}, the number of the item's slab class. */
    public int slabClass() {
        return Integer.parseInt(entry("cls"));
    }

    /** Returns {@code size}, the size of the item in bytes, with its header and its key. */
    public long sizeBytes() {
        return Long.parseLong(entry("size"));
    }

    private String entry(String name) {
        String text = entries.get(name);
        if (text == null) {
            throw new IllegalStateException("the server did not send " + name + ": " + entries);
        }
        return text;
    }
}
