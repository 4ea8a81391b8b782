// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import java.util.SplittableRandom;

/** Keys such as applications have, the same for the same seed. Threading: stateless. */
final class SampleKeys {

    /** Length of {@link #longer} keys in characters, of 250 that memcached allows. */
    static final int LONG = 200;

    private static final String[] PREFIXES = {"user:", "session:", "item:", "cart:"};

    private SampleKeys() {}

    /** Returns {@code count} keys of 15 to 27 characters, all of ASCII. */
    static String[] of(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] keys = new String[count];
        for (int i = 0; i < count; i++) {
            keys[i] = PREFIXES[random.nextInt(PREFIXES.length)]
                    + random.nextLong(1_000_000_000L, 1_000_000_000_000_000_000L);
        }
        return keys;
    }

    /** Returns the first {@code count} of {@code keys}, each filled up to {@value #LONG} characters. */
    static String[] longer(String[] keys, int count) {
        String[] longer = new String[count];
        for (int i = 0; i < count; i++) {
            longer[i] = "x".repeat(LONG - keys[i].length()) + keys[i];
        }
        return longer;
    }
}
