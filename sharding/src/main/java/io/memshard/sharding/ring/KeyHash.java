// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.ToLongFunction;
import java.util.zip.CRC32;

/**
 * Hash of a key, as other memcached clients compute it. All hashes except {@link #STRING} hash the UTF-8 bytes of the
 * key. If the original client uses the C type {@code char}, bytes from 0x80 count as negative numbers, as on x86.
 *
 * <p>Threading: immutable.
 */
public enum KeyHash {

    /** {@link String#hashCode}. Source: spymemcached and XMemcached, {@code NATIVE_HASH}. */
    STRING(String::hashCode),

    /** First four bytes of MD5 as a little-endian number. Source: libketama; spymemcached, {@code KETAMA_HASH}. */
    MD5(Md5::firstPoint),

    /** First four bytes of SHA-384 as a little-endian number. Source: AWS client 1.2, {@code KETAMA_HASH}. */
    SHA_384(key -> Digest.SHA_384.firstPoint(key)),

    /** CRC-32 of IEEE 802.3. Source: gomemcache, Dalli; twemproxy, {@code crc32a}. */
    CRC32(key -> crc32(bytes(key))),

    /** Bits 16 to 30 of CRC-32. Source: libmemcached, {@code MEMCACHED_HASH_CRC}; twemproxy, {@code crc32}. */
    CRC32_15_BITS(key -> crc32(bytes(key)) >> 16 & 0x7fff),

    /**
     * CRC-16 with the polynomial 0x1021, not truncated: the upper 16 bits are the bits that were shifted out. Source:
     * twemproxy 0.5.0, {@code crc16}.
     */
    CRC16(key -> ByteHashes.crc16(bytes(key))),

    /**
     * One-at-a-time of Bob Jenkins. Source: libmemcached, {@code MEMCACHED_HASH_DEFAULT}; twemproxy,
     * {@code one_at_a_time}.
     */
    ONE_AT_A_TIME(key -> ByteHashes.oneAtATime(bytes(key), -1)),

    /** One-at-a-time over unsigned bytes. Source: XMemcached, {@code ONE_AT_A_TIME}. */
    ONE_AT_A_TIME_UNSIGNED(key -> ByteHashes.oneAtATime(bytes(key), 0xff)),

    /** Low 32 bits of the 64-bit FNV-1 (Fowler, Noll, Vo). Source: libmemcached and twemproxy, {@code fnv1_64}. */
    FNV1_64(key -> ByteHashes.fnv1(bytes(key), ByteHashes.FNV_64_OFFSET, ByteHashes.FNV_64_PRIME)),

    /** Low 32 bits of the 64-bit FNV-1a. Source: libmemcached and twemproxy, {@code fnv1a_64}. */
    FNV1A_64(key -> ByteHashes.fnv1a(bytes(key), ByteHashes.FNV_64_OFFSET, ByteHashes.FNV_64_PRIME)),

    /** FNV-1 of 32 bits. Source: libmemcached and twemproxy, {@code fnv1_32}. */
    FNV1_32(key -> ByteHashes.fnv1(bytes(key), ByteHashes.FNV_32_OFFSET, ByteHashes.FNV_32_PRIME)),

    /** FNV-1a of 32 bits. Source: libmemcached and twemproxy, {@code fnv1a_32}. */
    FNV1A_32(key -> ByteHashes.fnv1a(bytes(key), ByteHashes.FNV_32_OFFSET, ByteHashes.FNV_32_PRIME)),

    /** SuperFastHash of Paul Hsieh. Source: libmemcached and twemproxy, {@code hsieh}. */
    HSIEH(key -> ByteHashes.hsieh(bytes(key))),

    /** MurmurHash2, seeded by the length of the key. Source: libmemcached and twemproxy, {@code murmur}. */
    MURMUR2(key -> ByteHashes.murmur2(bytes(key))),

    /** MurmurHash3_x86_32 with seed 0. Source: folsom. */
    MURMUR3(key -> murmur3(bytes(key), 0)),

    /** MurmurHash3_x86_32, seeded by the length of the key. Source: libmemcached, {@code MEMCACHED_HASH_MURMUR3}. */
    MURMUR3_SEEDED(key -> {
        byte[] bytes = bytes(key);
        return murmur3(bytes, 0xdeadbeef * bytes.length);
    }),

    /** Lookup3 hash of Bob Jenkins. Source: libmemcached and twemproxy, {@code jenkins}. */
    JENKINS(key -> ByteHashes.jenkins(bytes(key)));

    @SuppressWarnings("ImmutableEnumChecker") // None of the functions has state.
    private final ToLongFunction<String> function;

    KeyHash(ToLongFunction<String> function) {
        this.function = function;
    }

    /** Returns the hash, from 0 to 2^32 - 1. */
    public long of(String key) {
        return function.applyAsLong(key) & 0xffffffffL;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(UTF_8);
    }

    private static long crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }

    private static int murmur3(byte[] bytes, int seed) {
        return ByteHashes.murmur3(bytes, 0, bytes.length, seed);
    }
}
