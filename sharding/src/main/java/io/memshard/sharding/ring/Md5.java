// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

/** First four bytes of an MD5 digest (RFC 1321), computed without allocation for short ASCII keys. */
final class Md5 {

    /** Maximum length of a key that fits in one block of 64 bytes, with padding and encoded length. */
    private static final int ONE_BLOCK = 55;

    private static final int MARK = 0x80;

    private static final int A = 0x67452301;
    private static final int B = 0xefcdab89;
    private static final int C = 0x98badcfe;
    private static final int D = 0x10325476;

    private Md5() {}

    static int firstPoint(String key) {
        return key.length() <= ONE_BLOCK && isAscii(key) ? ofOneBlock(key) : Digest.MD5.firstPoint(key);
    }

    private static boolean isAscii(String key) {
        int all = 0;
        for (int i = 0; i < key.length(); i++) {
            all |= key.charAt(i);
        }
        return all < MARK;
    }

    private static int ofOneBlock(String key) {
        int w0 = word(key, 0);
        int w1 = word(key, 4);
        int w2 = word(key, 8);
        int w3 = word(key, 12);
        int w4 = word(key, 16);
        int w5 = word(key, 20);
        int w6 = word(key, 24);
        int w7 = word(key, 28);
        int w8 = word(key, 32);
        int w9 = word(key, 36);
        int w10 = word(key, 40);
        int w11 = word(key, 44);
        int w12 = word(key, 48);
        int w13 = word(key, 52);
        // The length in bits; its upper half, which would be w15, is 0.
        int w14 = key.length() << 3;
        int a = A;
        int b = B;
        int c = C;
        int d = D;

        a = round1(a, b, c, d, w0 + 0xd76aa478, 7);
        d = round1(d, a, b, c, w1 + 0xe8c7b756, 12);
        c = round1(c, d, a, b, w2 + 0x242070db, 17);
        b = round1(b, c, d, a, w3 + 0xc1bdceee, 22);
        a = round1(a, b, c, d, w4 + 0xf57c0faf, 7);
        d = round1(d, a, b, c, w5 + 0x4787c62a, 12);
        c = round1(c, d, a, b, w6 + 0xa8304613, 17);
        b = round1(b, c, d, a, w7 + 0xfd469501, 22);
        a = round1(a, b, c, d, w8 + 0x698098d8, 7);
        d = round1(d, a, b, c, w9 + 0x8b44f7af, 12);
        c = round1(c, d, a, b, w10 + 0xffff5bb1, 17);
        b = round1(b, c, d, a, w11 + 0x895cd7be, 22);
        a = round1(a, b, c, d, w12 + 0x6b901122, 7);
        d = round1(d, a, b, c, w13 + 0xfd987193, 12);
        c = round1(c, d, a, b, w14 + 0xa679438e, 17);
        b = round1(b, c, d, a, 0x49b40821, 22);

        a = round2(a, b, c, d, w1 + 0xf61e2562, 5);
        d = round2(d, a, b, c, w6 + 0xc040b340, 9);
        c = round2(c, d, a, b, w11 + 0x265e5a51, 14);
        b = round2(b, c, d, a, w0 + 0xe9b6c7aa, 20);
        a = round2(a, b, c, d, w5 + 0xd62f105d, 5);
        d = round2(d, a, b, c, w10 + 0x02441453, 9);
        c = round2(c, d, a, b, 0xd8a1e681, 14);
        b = round2(b, c, d, a, w4 + 0xe7d3fbc8, 20);
        a = round2(a, b, c, d, w9 + 0x21e1cde6, 5);
        d = round2(d, a, b, c, w14 + 0xc33707d6, 9);
        c = round2(c, d, a, b, w3 + 0xf4d50d87, 14);
        b = round2(b, c, d, a, w8 + 0x455a14ed, 20);
        a = round2(a, b, c, d, w13 + 0xa9e3e905, 5);
        d = round2(d, a, b, c, w2 + 0xfcefa3f8, 9);
        c = round2(c, d, a, b, w7 + 0x676f02d9, 14);
        b = round2(b, c, d, a, w12 + 0x8d2a4c8a, 20);

        a = round3(a, b, c, d, w5 + 0xfffa3942, 4);
        d = round3(d, a, b, c, w8 + 0x8771f681, 11);
        c = round3(c, d, a, b, w11 + 0x6d9d6122, 16);
        b = round3(b, c, d, a, w14 + 0xfde5380c, 23);
        a = round3(a, b, c, d, w1 + 0xa4beea44, 4);
        d = round3(d, a, b, c, w4 + 0x4bdecfa9, 11);
        c = round3(c, d, a, b, w7 + 0xf6bb4b60, 16);
        b = round3(b, c, d, a, w10 + 0xbebfbc70, 23);
        a = round3(a, b, c, d, w13 + 0x289b7ec6, 4);
        d = round3(d, a, b, c, w0 + 0xeaa127fa, 11);
        c = round3(c, d, a, b, w3 + 0xd4ef3085, 16);
        b = round3(b, c, d, a, w6 + 0x04881d05, 23);
        a = round3(a, b, c, d, w9 + 0xd9d4d039, 4);
        d = round3(d, a, b, c, w12 + 0xe6db99e5, 11);
        c = round3(c, d, a, b, 0x1fa27cf8, 16);
        b = round3(b, c, d, a, w2 + 0xc4ac5665, 23);

        a = round4(a, b, c, d, w0 + 0xf4292244, 6);
        d = round4(d, a, b, c, w7 + 0x432aff97, 10);
        c = round4(c, d, a, b, w14 + 0xab9423a7, 15);
        b = round4(b, c, d, a, w5 + 0xfc93a039, 21);
        a = round4(a, b, c, d, w12 + 0x655b59c3, 6);
        d = round4(d, a, b, c, w3 + 0x8f0ccc92, 10);
        c = round4(c, d, a, b, w10 + 0xffeff47d, 15);
        b = round4(b, c, d, a, w1 + 0x85845dd1, 21);
        a = round4(a, b, c, d, w8 + 0x6fa87e4f, 6);
        d = round4(d, a, b, c, 0xfe2ce6e0, 10);
        c = round4(c, d, a, b, w6 + 0xa3014314, 15);
        b = round4(b, c, d, a, w13 + 0x4e0811a1, 21);
        a = round4(a, b, c, d, w4 + 0xf7537e82, 6);
        // The last three steps of the round would change only the unused bytes of the digest.
        return a + A;
    }

    private static int word(String key, int at) {
        int left = key.length() - at;
        if (left >= 4) {
            return key.charAt(at) | key.charAt(at + 1) << 8 | key.charAt(at + 2) << 16 | key.charAt(at + 3) << 24;
        }
        int word = left < 0 ? 0 : MARK << (8 * left);
        for (int i = 0; i < left; i++) {
            word |= key.charAt(at + i) << (8 * i);
        }
        return word;
    }

    // The other operands are added first, because b is known last.

    private static int round1(int a, int b, int c, int d, int word, int shift) {
        return b + Integer.rotateLeft(a + word + (d ^ (b & (c ^ d))), shift);
    }

    private static int round2(int a, int b, int c, int d, int word, int shift) {
        return b + Integer.rotateLeft(a + word + (c & ~d) + (b & d), shift);
    }

    private static int round3(int a, int b, int c, int d, int word, int shift) {
        return b + Integer.rotateLeft(a + word + (c ^ d ^ b), shift);
    }

    private static int round4(int a, int b, int c, int d, int word, int shift) {
        return b + Integer.rotateLeft(a + word + (c ^ (b | ~d)), shift);
    }
}
