// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Order of names in which numbers are compared by value: {@code cache-9} before {@code cache-10}. Threading: stateless.
 */
final class NaturalOrder {

    private static final Pattern PART = Pattern.compile("\\d+|\\D+");

    static final Comparator<String> OF_NAMES =
            Comparator.comparing(NaturalOrder::parts, NaturalOrder::compare).thenComparing(Comparator.naturalOrder());

    private NaturalOrder() {}

    private static List<String> parts(String name) {
        return PART.matcher(name).results().map(MatchResult::group).toList();
    }

    private static int compare(List<String> a, List<String> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compareParts(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static int compareParts(String a, String b) {
        boolean numbers = Character.isDigit(a.charAt(0)) && Character.isDigit(b.charAt(0));
        return numbers ? new BigInteger(a).compareTo(new BigInteger(b)) : a.compareTo(b);
    }
}
