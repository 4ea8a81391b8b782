// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

record RoutedLocator(ServerLocator whole, UnaryOperator<String> part) implements ServerLocator {

    @Override
    public List<Server> servers() {
        return whole.servers();
    }

    @Override
    public int locate(String key) {
        return whole.locate(part.apply(key));
    }

    @Override
    public int locate(String key, IntPredicate accepts) {
        return whole.locate(part.apply(key), accepts);
    }

    static UnaryOperator<String> hashTag(String tag) {
        if (tag.length() != 2) {
            throw new IllegalArgumentException("hash tag is \"" + tag
                    + "\", but must be the two characters around the hashed part of a key, such as {}");
        }
        char opening = tag.charAt(0);
        char closing = tag.charAt(1);
        return key -> {
            int start = key.indexOf(opening) + 1;
            int end = start == 0 ? -1 : key.indexOf(closing, start);
            return end > start ? key.substring(start, end) : key;
        };
    }

    static UnaryOperator<String> before(String mark, int shortest, String what, String example) {
        if (mark.isEmpty()) {
            throw new IllegalArgumentException(
                    what + " is empty: set the text that follows the hashed part of a key, such as " + example);
        }
        return key -> {
            int end = key.indexOf(mark);
            return end < shortest ? key : key.substring(0, end);
        };
    }
}
