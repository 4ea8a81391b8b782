// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

/**
 * The part of a key that a ring hashes. Keys with an equal part are on the same server.
 *
 * <p>Threading: called by every calling thread at once; thread-safe, and always the same part for the same key.
 */
@FunctionalInterface
public interface RoutingPart {

    /** The part of {@code key} to hash; the key itself if it has no such part. */
    String of(String key);

    /**
     * What stands between two characters: {@code 42} of {@code user:{42}:name} with the tag {@code {}}. A key without
     * both, or with nothing between them, is hashed whole.
     *
     * <p>This is twemproxy's {@code hash_tag} (recommendation.md). The filter for tags of memcached's proxy differs
     * for a key with nothing between the two: it puts all of those on one server.
     *
     * @param tag two characters: the opening and the closing one, perhaps the same
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
     * What stands before a mark: {@code user:42} of {@code user:42|#|name} with the stop {@code |#|}.
     *
     * <p>This is mcrouter's hash stop and the filter {@code stop} of memcached's proxy.
     *
     * @param stop at least one character
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
     * What stands before a delimiter, unless that is nothing.
     *
     * <p>This is EVCache's {@code hash.on.partial.key} with its {@code hash.delimiter}.
     *
     * @param delimiter at least one character
     */
    static RoutingPart before(String delimiter) {
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("delimiter is empty: it is what ends the part, as in :");
        }
        return key -> {
            int end = key.indexOf(delimiter);
            return end <= 0 ? key : key.substring(0, end);
        };
    }
}
