// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.server;

import io.memshard.bench.result.BenchException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Keys of a measurement, and the correct value of each key. A value starts with its key, so that all values differ. */
public final class Keyspace {

    /** Minimum length of a value, which has room for the longest key and a colon. */
    public static final int SHORTEST_VALUE = 32;

    /** Number of sets after which the socket waits for the server. */
    private static final int PORTION = 10_000;

    private final String[] keys;
    private final byte[][] values;

    public Keyspace(int size, int valueSize) {
        if (size < 1 || valueSize < SHORTEST_VALUE) {
            throw new IllegalArgumentException("size is " + size + " and valueSize is " + valueSize
                    + ", but size must be at least 1 and valueSize must be at least " + SHORTEST_VALUE);
        }
        keys = new String[size];
        values = new byte[size][];
        for (int i = 0; i < size; i++) {
            keys[i] = "bench:" + valueSize + ":" + i;
            values[i] = valueOf(keys[i], valueSize);
        }
    }

    private static byte[] valueOf(String key, int size) {
        byte[] start = (key + ":").getBytes(StandardCharsets.US_ASCII);
        byte[] value = Arrays.copyOf(start, size);
        for (int i = start.length; i < size; i++) {
            value[i] = (byte) ('a' + i % 26);
        }
        return value;
    }

    public int size() {
        return keys.length;
    }

    public String key(int index) {
        return keys[index];
    }

    public byte[] value(int index) {
        return values[index];
    }

    public boolean isValueOf(int index, byte @Nullable [] value) {
        return Arrays.equals(values[index], value);
    }

    public void fill(InetSocketAddress server) {
        fill(server, keys.length, this::key, this::value);
    }

    /** Stores values by sets without replies, which is faster than to wait for each reply. */
    static void fill(InetSocketAddress server, int size, IntFunction<String> key, IntFunction<byte[]> value) {
        try (PlainSocket socket = new PlainSocket(server)) {
            for (int i = 0; i < size; i++) {
                socket.setQuietly(key.apply(i), value.apply(i));
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
