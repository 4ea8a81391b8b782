// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.result.BenchException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Keys of a measurement, and the correct value of each key: the index of the key, and then letters. */
public final class Keyspace {

    /** Minimum length of a value. */
    public static final int SHORTEST_VALUE = 32;

    static final int REALISTIC_SHORTEST = 110;
    static final int REALISTIC_LONGEST = 16 * 1024;

    /** Exponent of the Pareto distribution of realistic lengths, whose mean is about 300 bytes. */
    private static final double PARETO = 1.5;

    /** Exponent of Zipf's law: key {@code i} is requested in proportion to {@code (i + 1)^-0.99}. */
    private static final double ZIPF = 0.99;

    /** One of ten realistic requests is for a key that is never stored. */
    private static final int MISS_EVERY = 10;

    /** Number of sets after which the socket waits for the server. */
    private static final int PORTION = 10_000;

    private static final String PADDING = "abcdefghijklmnopqrstuvwxy";
    private static final VarHandle INDEX = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int size;
    private final double zipf;
    private final String[] keys;
    private final int[] lengths;
    private final byte[] letters;

    private Keyspace(int size, double zipf, int all, int longest) {
        this.size = size;
        this.zipf = zipf;
        this.keys = new String[all];
        this.lengths = new int[all];
        this.letters = new byte[longest];
        for (int i = 0; i < longest; i++) {
            letters[i] = (byte) ('a' + i % 26);
        }
    }

    /** Returns {@code size} keys with values of equal length, which are requested equally often. */
    public static Keyspace of(int size, int valueSize) {
        Keyspace space = new Keyspace(size, 0, size, valueSize);
        Arrays.setAll(space.keys, i -> "bench:" + valueSize + ":" + i);
        Arrays.fill(space.lengths, valueSize);
        return space;
    }

    /** Returns {@code size} keys of 20 to 45 bytes, and a tenth as many keys that are never stored. */
    public static Keyspace realistic(int size) {
        Keyspace space = new Keyspace(size, ZIPF, size + size / MISS_EVERY, REALISTIC_LONGEST);
        SplittableRandom random = new SplittableRandom(size);
        for (int i = 0; i < space.keys.length; i++) {
            space.keys[i] =
                    "bench:mix:" + (1_000_000_000 + i) + PADDING.substring(random.nextInt(PADDING.length() + 1));
            space.lengths[i] = (int)
                    Math.min(REALISTIC_LONGEST, REALISTIC_SHORTEST * Math.pow(1 - random.nextDouble(), -1 / PARETO));
        }
        return space;
    }

    /** Returns the number of keys that are stored, which come first. */
    public int size() {
        return size;
    }

    public boolean isStored(int index) {
        return index < size;
    }

    public String key(int index) {
        return keys[index];
    }

    public byte[] value(int index) {
        byte[] value = Arrays.copyOf(letters, lengths[index]);
        INDEX.set(value, 0, index);
        return value;
    }

    public boolean isValueOf(int index, byte @Nullable [] value) {
        return value != null
                && value.length == lengths[index]
                && (int) INDEX.get(value, 0) == index
                && Arrays.equals(value, Integer.BYTES, value.length, letters, Integer.BYTES, value.length);
    }

    /** Returns indexes of keys in a random order, the same for each client. */
    public int[] requests(int number) {
        double[] sums = new double[size];
        for (int i = 0; i < size; i++) {
            sums[i] = (i == 0 ? 0 : sums[i - 1]) + Math.pow(i + 1, -zipf);
        }
        SplittableRandom random = new SplittableRandom(number);
        int[] requests = new int[number];
        for (int i = 0; i < number; i++) {
            int found = Arrays.binarySearch(sums, random.nextDouble() * sums[size - 1]);
            requests[i] = keys.length > size && random.nextInt(MISS_EVERY) == 0
                    ? random.nextInt(size, keys.length)
                    : found < 0 ? -found - 1 : found;
        }
        return requests;
    }

    /** Stores the values by sets without replies, which is faster than to wait for each reply. */
    public void fill(InetSocketAddress server) {
        try (PlainSocket socket = new PlainSocket(server)) {
            for (int i = 0; i < size; i++) {
                socket.setQuietly(keys[i], value(i));
                if (i % PORTION == 0) {
                    socket.version(); // A proxy in between holds at most one portion.
                }
            }
            socket.version();
        } catch (IOException e) {
            throw new BenchException("cannot fill " + server + ": " + e.getMessage(), e);
        }
    }
}
