// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import java.util.function.Consumer;

/**
 * Numbers from 2^63 on, which memcached 1.6.18 sometimes takes for text.
 *
 * <p>Source: {@code safe_strtoull} in memcached's util.c. In such a number it looks for a minus sign, beyond the end
 * of the item too, where another item may have left one.
 */
public final class LargeNumbers {

    private static final int MOST_KEYS = 20;

    /** A key is longer than the one before by so much. Then its item is of another size, and soon where none was. */
    private static final int LONGER = 8;

    private LargeNumbers() {}

    /** Runs a test with one key after the other, each in a place of its own, until the server takes its numbers. */
    public static void count(String prefix, Consumer<String> test) {
        for (int i = 1; ; i++) {
            try {
                test.accept(prefix + "n".repeat(LONGER * i));
                return;
            } catch (RuntimeException e) {
                if (i == MOST_KEYS || !String.valueOf(e.getMessage()).contains("non-numeric")) {
                    throw e;
                }
            }
        }
    }
}
