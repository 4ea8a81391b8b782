// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Keys of 20 to 45 bytes, and values of 110 bytes to 16 KiB. Each value starts with the index of its key. */
public final class RealisticKeys {

    static final int SHORTEST = 110;
    static final int LONGEST = 16 * 1024;

    /** Exponent of the Pareto distribution of the lengths, whose mean is about 300 bytes. */
    private static final double PARETO = 1.5;

    /** Exponent of Zipf's law: key {@code i} is requested in proportion to {@code (i + 1)^-0.99}. */
    private static final double ZIPF = 0.99;

    /** One of ten requests is for a key that is never stored. */
    private static final int MISS_EVERY = 10;

    private static final String PADDING = "abcdefghijklmnopqrstuvwxy";
    private static final VarHandle INDEX = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int stored;
    private final String[] keys;
    private final int[] lengths;

    /** Creates {@code stored} keys, and a tenth as many keys that are never stored. */
    public RealisticKeys(int stored) {
        this.stored = stored;
        keys = new String[stored + stored / MISS_EVERY];
        lengths = new int[keys.length];
        SplittableRandom random = new SplittableRandom(stored);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "bench:mix:" + (1_000_000_000 + i) + PADDING.substring(random.nextInt(PADDING.length() + 1));
            lengths[i] = (int) Math.min(LONGEST, SHORTEST * Math.pow(1 - random.nextDouble(), -1 / PARETO));
        }
    }

    public boolean isStored(int index) {
        return index < stored;
    }

    public String key(int index) {
        return keys[index];
    }

    public byte[] value(int index) {
        byte[] value = new byte[lengths[index]];
        INDEX.set(value, 0, index);
        return value;
    }

    /** Compares the length and the index at the start, but no other byte. */
    public boolean isValueOf(int index, byte @Nullable [] value) {
        return value != null && value.length == lengths[index] && (int) INDEX.get(value, 0) == index;
    }

    /** Returns indexes of keys: nine of ten by Zipf's law, and one of ten of a key that is never stored. */
    public int[] requests(int number) {
        double[] sums = new double[stored];
        for (int i = 0; i < stored; i++) {
            sums[i] = (i == 0 ? 0 : sums[i - 1]) + Math.pow(i + 1, -ZIPF);
        }
        SplittableRandom random = new SplittableRandom(number);
        int[] requests = new int[number];
        for (int i = 0; i < number; i++) {
            int found = Arrays.binarySearch(sums, random.nextDouble() * sums[stored - 1]);
            requests[i] = random.nextInt(MISS_EVERY) > 0
                    ? found < 0 ? -found - 1 : found
                    : random.nextInt(stored, keys.length);
        }
        return requests;
    }

    public void fill(InetSocketAddress server) {
        Keyspace.fill(server, stored, this::key, this::value);
    }
}
