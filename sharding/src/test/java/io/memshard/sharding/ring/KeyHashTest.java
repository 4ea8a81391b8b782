// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Known answers, from where each hash was published. */
class KeyHashTest {

    @ParameterizedTest
    @CsvSource({
        // RFC 1321, A.5: MD5 of "" is d41d8cd9..., of "abc" 90015098...
        "MD5, '', d98c1dd4",
        "MD5, abc, 98500190",
        // FIPS 180-4 examples: SHA-384 of "abc" is cb00753f...
        "SHA_384, abc, 3f7500cb",
        // The check values of the catalogue of CRC algorithms: CRC-32/ISO-HDLC and CRC-16/XMODEM of "123456789".
        "CRC32, 123456789, cbf43926",
        "CRC32_15_BITS, 123456789, 00004bf4",
        // The lower half is the check value; the upper one is what twemproxy leaves there.
        "CRC16, 123456789, 869031c3",
        // Fowler, Noll and Vo's test vectors, test_fnv.c.
        "FNV1_32, foobar, 31f0b262",
        "FNV1A_32, foobar, bf9cf968",
        "FNV1_64, foobar, a4dda9c2",
        "FNV1A_64, foobar, f73967e8",
        // Bob Jenkins' one-at-a-time and MurmurHash3 with seed 0, as Wikipedia and SMHasher have them.
        "ONE_AT_A_TIME, The quick brown fox jumps over the lazy dog, 519e91f5",
        "ONE_AT_A_TIME_UNSIGNED, The quick brown fox jumps over the lazy dog, 519e91f5",
        "MURMUR3, The quick brown fox jumps over the lazy dog, 2e4ff723",
    })
    void answersAreThosePublished(KeyHash hash, String key, String expected) {
        assertThat("%08x".formatted(hash.of(key))).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(KeyHash.class)
    void everyHashHas32BitsWithoutASign(KeyHash hash) {
        assertThat(RingFixture.RANDOM_KEYS.subList(0, 2_000))
                .allSatisfy(key -> assertThat(hash.of(key)).isBetween(0L, 0xffffffffL));
    }

    @Test
    void xxh3OfNothingIsThatOfItsSpecification() {
        assertThat(Xxh3.hash(new byte[0], 0)).isEqualTo(0x2d06800538d394c2L);
    }
}
