// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** XXH3 with 64-bit results, up to {@value #MAX_BYTES} bytes. Source: Collet, xxHash, {@code xxhash_spec.md}. */
final class Xxh3 {

    static final int MAX_BYTES = 1024;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long PRIME32_1 = 0x9E3779B1L;
    private static final long PRIME32_2 = 0x85EBCA77L;
    private static final long PRIME32_3 = 0xC2B2AE3DL;
    private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME64_3 = 0x165667B19E3779F9L;
    private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
    private static final long PRIME_MX1 = 0x165667919E3779F9L;
    private static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

    private static final int STRIPE = 64;
    private static final int LANES = 8;

    private static final byte[] SECRET = HexFormat.of()
            .parseHex("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                    + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                    + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                    + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                    + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                    + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

    private Xxh3() {}

    static long hash(byte[] input, long seed) {
        int length = input.length;
        if (length > 240) {
            return hashOfMany(input, seed);
        }
        if (length > 16) {
            return hashOfSome(input, seed);
        }
        if (length > 8) {
            long low = (secret(24) ^ secret(32)) + seed ^ int64(input, 0);
            long high = (secret(40) ^ secret(48)) - seed ^ int64(input, length - 8);
            return avalanche(length + Long.reverseBytes(low) + high + foldedProduct(low, high));
        }
        if (length >= 4) {
            long seedTwice = seed ^ (long) Integer.reverseBytes((int) seed) << 32;
            long first = (long) ByteHashes.int32(input, 0) << 32;
            long last = Integer.toUnsignedLong(ByteHashes.int32(input, length - 4));
            long value = (secret(8) ^ secret(16)) - seedTwice ^ (first | last);
            value ^= Long.rotateLeft(value, 49) ^ Long.rotateLeft(value, 24);
            value *= PRIME_MX2;
            value ^= (value >>> 35) + length;
            value *= PRIME_MX2;
            return value ^ value >>> 28;
        }
        if (length > 0) {
            int combined = (input[length - 1] & 0xff)
                    | length << 8
                    | (input[0] & 0xff) << 16
                    | (input[length >> 1] & 0xff) << 24;
            long secret = Integer.toUnsignedLong(ByteHashes.int32(SECRET, 0) ^ ByteHashes.int32(SECRET, 4));
            return avalancheOfXxh64(secret + seed ^ Integer.toUnsignedLong(combined));
        }
        return avalancheOfXxh64(seed ^ secret(56) ^ secret(64));
    }

    private static long hashOfSome(byte[] input, long seed) {
        int length = input.length;
        long sum = length * PRIME64_1;
        if (length <= 128) {
            for (int i = (length - 1) >> 5; i >= 0; i--) {
                sum += mixed(input, i * 16, i * 32, seed);
                sum += mixed(input, length - i * 16 - 16, i * 32 + 16, seed);
            }
            return avalanche(sum);
        }
        for (int i = 0; i < 8; i++) {
            sum += mixed(input, i * 16, i * 16, seed);
        }
        sum = avalanche(sum);
        for (int i = 8; i < length >> 4; i++) {
            sum += mixed(input, i * 16, (i - 8) * 16 + 3, seed);
        }
        return avalanche(sum + mixed(input, length - 16, 119, seed));
    }

    private static long mixed(byte[] input, int offset, int secret, long seed) {
        return foldedProduct(
                int64(input, offset) ^ secret(secret) + seed, int64(input, offset + 8) ^ secret(secret + 8) - seed);
    }

    private static long hashOfMany(byte[] input, long seed) {
        byte[] secret = SECRET.clone();
        for (int i = 0; i < secret.length; i += 16) {
            LONG.set(secret, i, int64(secret, i) + seed);
            LONG.set(secret, i + 8, int64(secret, i + 8) - seed);
        }
        long[] sums = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};
        for (int i = 0; i < (input.length - 1) / STRIPE; i++) {
            accumulate(sums, input, i * STRIPE, secret, i * 8);
        }
        accumulate(sums, input, input.length - STRIPE, secret, secret.length - 71);
        long result = input.length * PRIME64_1;
        for (int i = 0; i < LANES; i += 2) {
            result += foldedProduct(sums[i] ^ int64(secret, 11 + i * 8), sums[i + 1] ^ int64(secret, 11 + (i + 1) * 8));
        }
        return avalanche(result);
    }

    private static void accumulate(long[] sums, byte[] input, int offset, byte[] secret, int secretOffset) {
        for (int i = 0; i < LANES; i++) {
            long word = int64(input, offset + i * 8);
            long value = word ^ int64(secret, secretOffset + i * 8);
            sums[i ^ 1] += word;
            sums[i] += (value & 0xffffffffL) * (value >>> 32);
        }
    }

    private static long foldedProduct(long a, long b) {
        // Math.unsignedMultiplyHigh exists since JDK 18.
        long high = Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
        return a * b ^ high;
    }

    private static long avalanche(long value) {
        long mixed = (value ^ value >>> 37) * PRIME_MX1;
        return mixed ^ mixed >>> 32;
    }

    private static long avalancheOfXxh64(long value) {
        long mixed = (value ^ value >>> 33) * PRIME64_2;
        mixed = (mixed ^ mixed >>> 29) * PRIME64_3;
        return mixed ^ mixed >>> 32;
    }

    private static long secret(int index) {
        return int64(SECRET, index);
    }

    private static long int64(byte[] bytes, int index) {
        return (long) LONG.get(bytes, index);
    }
}
