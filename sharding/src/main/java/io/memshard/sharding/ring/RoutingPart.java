// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.function.UnaryOperator;

/**
 * Functions from a key to the part that a ring hashes. Each function returns the whole key if the key has no such part.
 */
final class RoutingPart {

    private RoutingPart() {}

    /** Returns the function of {@link Ring#routedByHashTag}. */
    static UnaryOperator<String> hashTag(String tag) {
        if (tag.length() != 2) {
            throw new IllegalArgumentException(
                    "hash tag is \"" + tag + "\": set the two characters around the routing part of a key, like {}");
        }
        char opening = tag.charAt(0);
        char closing = tag.charAt(1);
        return key -> {
            int start = key.indexOf(opening) + 1;
            int end = start == 0 ? -1 : key.indexOf(closing, start);
            return end > start ? key.substring(start, end) : key;
        };
    }

    /** Returns the function of {@link Ring#routedByHashStop}. */
    static UnaryOperator<String> hashStop(String stop) {
        if (stop.isEmpty()) {
            throw new IllegalArgumentException("hash stop is empty: set the text after the routing part, like |#|");
        }
        return key -> {
            int end = key.indexOf(stop);
            return end < 0 ? key : key.substring(0, end);
        };
    }

    /** Returns the function of {@link Ring#routedByPartBefore}. */
    static UnaryOperator<String> before(String delimiter) {
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("delimiter is empty: set the text after the routing part, like \":\"");
        }
        return key -> {
            int end = key.indexOf(delimiter);
            return end <= 0 ? key : key.substring(0, end);
        };
    }
}
