// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import java.util.function.Consumer;

/**
 * Numbers from 2^63 on, which memcached 1.6.18 sometimes treats as text.
 *
 * <p>Source: {@code safe_strtoull} in memcached's util.c. In such a number, memcached searches for a minus sign, even
 * beyond the end of the item, where another item may have left one.
 */
public final class LargeNumbers {

    private static final int MAX_KEYS = 20;

    /**
     * Difference in length between a key and the next. So each item differs in size from the one before, and soon has a
     * size that no earlier item had.
     */
    private static final int LENGTH_STEP = 8;

    private LargeNumbers() {}

    /**
     * Runs a test with up to 20 keys, one after another, until the server accepts the numbers. The item of each key is
     * at another place in the memory of the server. An exception that does not say "non-numeric" is thrown at once.
     */
    public static void count(String prefix, Consumer<String> test) {
        for (int i = 1; ; i++) {
            try {
                test.accept(prefix + "n".repeat(LENGTH_STEP * i));
                return;
            } catch (RuntimeException e) {
                if (i == MAX_KEYS || !String.valueOf(e.getMessage()).contains("non-numeric")) {
                    throw e;
                }
            }
        }
    }
}
