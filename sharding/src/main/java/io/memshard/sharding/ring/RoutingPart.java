// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

/**
 * Function from a key to the part that a ring hashes. Keys with an equal part are on the same server.
 *
 * <p>Threading: called by many threads at once; thread-safe, and always returns the same part for the same key.
 */
@FunctionalInterface
public interface RoutingPart {

    /** Returns the part of {@code key} to hash; the key itself if it has no such part. */
    String of(String key);

    /**
     * Returns the part between two characters: {@code 42} of {@code user:{42}:name} with the tag {@code {}}. A key
     * without both characters, or with nothing between them, is hashed whole.
     *
     * <p>The same as twemproxy's {@code hash_tag} (recommendation.md). The tag filter of memcached's proxy differs for
     * keys with nothing between the characters, which it places on a single server.
     *
     * @param tag the opening and the closing character, which may be the same
     */
    static RoutingPart hashTag(String tag) {
        if (tag.length() != 2) {
            throw new IllegalArgumentException(
                    "hash tag is \"" + tag + "\": it is the two characters around the part, as in {}");
        }
        char opening = tag.charAt(0);
        char closing = tag.charAt(1);
        return key -> {
            int start = key.indexOf(opening) + 1;
            int end = start == 0 ? -1 : key.indexOf(closing, start);
            return end > start ? key.substring(start, end) : key;
        };
    }

    /**
     * Returns the part before a mark: {@code user:42} of {@code user:42|#|name} with the stop {@code |#|}.
     *
     * <p>The same as mcrouter's hash stop and the filter {@code stop} of memcached's proxy.
     *
     * @param stop the text that ends the part, at least one character
     */
    static RoutingPart hashStop(String stop) {
        if (stop.isEmpty()) {
            throw new IllegalArgumentException("hash stop is empty: it is the mark that ends the part, as in |#|");
        }
        return key -> {
            int end = key.indexOf(stop);
            return end < 0 ? key : key.substring(0, end);
        };
    }

    /**
     * Returns the part before a delimiter, unless the part is empty.
     *
     * <p>The same as EVCache's {@code hash.on.partial.key} with its {@code hash.delimiter}.
     *
     * @param delimiter the text that ends the part, at least one character
     */
    static RoutingPart before(String delimiter) {
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("delimiter is empty: it is the text that ends the part, as in :");
        }
        return key -> {
            int end = key.indexOf(delimiter);
            return end <= 0 ? key : key.substring(0, end);
        };
    }
}
