// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hashes of bytes with 32-bit results. {@link KeyHash} names the source of each hash. */
final class ByteHashes {

    static final long FNV_64_OFFSET = 0xcbf29ce484222325L;
    static final long FNV_64_PRIME = 0x100000001b3L;
    static final long FNV_32_OFFSET = 0x811c9dc5L;
    static final long FNV_32_PRIME = 0x01000193L;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private ByteHashes() {}

    static int int32(byte[] bytes, int index) {
        return (int) INT.get(bytes, index);
    }

    /** Returns the one-at-a-time hash. {@code mask} is -1 for signed bytes, and 0xff for unsigned bytes. */
    static int oneAtATime(byte[] bytes, int mask) {
        int hash = 0;
        for (byte b : bytes) {
            hash += b & mask;
            hash += hash << 10;
            hash ^= hash >>> 6;
        }
        hash += hash << 3;
        hash ^= hash >>> 11;
        return hash + (hash << 15);
    }

    static int fnv1(byte[] bytes, long offset, long prime) {
        long hash = offset;
        for (byte b : bytes) {
            hash = hash * prime ^ b;
        }
        return (int) hash;
    }

    static int fnv1a(byte[] bytes, long offset, long prime) {
        long hash = offset;
        for (byte b : bytes) {
            hash = (hash ^ b) * prime;
        }
        return (int) hash;
    }

    static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            int step = (crc & 0xff00) ^ (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                step = step << 1 ^ ((step & 0x8000) == 0 ? 0 : 0x1021);
            }
            crc = crc << 8 ^ (step & 0xffff);
        }
        return crc;
    }

    static int murmur2(byte[] bytes) {
        int m = 0x5bd1e995;
        int length = bytes.length;
        int hash = 0xdeadbeef * length ^ length;
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            int word = int32(bytes, i) * m;
            hash = hash * m ^ (word ^ word >>> 24) * m;
        }
        if (i < length) {
            hash = (hash ^ rest(bytes, i, length)) * m;
        }
        hash = (hash ^ hash >>> 13) * m;
        return hash ^ hash >>> 15;
    }

    static int murmur3(byte[] bytes, int offset, int length, int seed) {
        int hash = seed;
        int end = offset + length;
        int i = offset;
        for (; i + 4 <= end; i += 4) {
            hash = Integer.rotateLeft(hash ^ scrambled(int32(bytes, i)), 13) * 5 + 0xe6546b64;
        }
        if (i < end) {
            hash ^= scrambled(rest(bytes, i, end));
        }
        hash ^= length;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int scrambled(int word) {
        return Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
    }

    private static int rest(byte[] bytes, int from, int to) {
        int rest = 0;
        for (int i = to - 1; i >= from; i--) {
            rest = rest << 8 | (bytes[i] & 0xff);
        }
        return rest;
    }

    static int hsieh(byte[] bytes) {
        int length = bytes.length;
        int hash = 0;
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            hash += int16(bytes, i);
            hash = hash << 16 ^ int16(bytes, i + 2) << 11 ^ hash;
            hash += hash >>> 11;
        }
        switch (length - i) {
            case 3 -> {
                hash += int16(bytes, i);
                hash ^= hash << 16;
                hash ^= bytes[i + 2] << 18;
                hash += hash >>> 11;
            }
            case 2 -> {
                hash += int16(bytes, i);
                hash ^= hash << 11;
                hash += hash >>> 17;
            }
            case 1 -> {
                hash += bytes[i] & 0xff;
                hash ^= hash << 10;
                hash += hash >>> 1;
            }
            default -> {}
        }
        hash ^= hash << 3;
        hash += hash >>> 5;
        hash ^= hash << 4;
        hash += hash >>> 17;
        hash ^= hash << 25;
        return hash + (hash >>> 6);
    }

    private static int int16(byte[] bytes, int index) {
        return (bytes[index] & 0xff) | (bytes[index + 1] & 0xff) << 8;
    }

    static int jenkins(byte[] bytes) {
        int length = bytes.length;
        int a = 0xdeadbeef + length + 13;
        int b = a;
        int c = a;
        int i = 0;
        for (; length - i > 12; i += 12) {
            a += int32(bytes, i);
            b += int32(bytes, i + 4);
            c += int32(bytes, i + 8);
            a = a - c ^ Integer.rotateLeft(c, 4);
            c += b;
            b = b - a ^ Integer.rotateLeft(a, 6);
            a += c;
            c = c - b ^ Integer.rotateLeft(b, 8);
            b += a;
            a = a - c ^ Integer.rotateLeft(c, 16);
            c += b;
            b = b - a ^ Integer.rotateLeft(a, 19);
            a += c;
            c = c - b ^ Integer.rotateLeft(b, 4);
            b += a;
        }
        if (i == length) {
            return c;
        }
        a += rest(bytes, i, Math.min(i + 4, length));
        b += rest(bytes, i + 4, Math.min(i + 8, length));
        c += rest(bytes, i + 8, length);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }
}
