// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Compression methods of values. */
public enum CompressionType {
    /** No compression. */
    NONE,
    /** Format gzip, which older Java clients use. */
    GZIP,
    /** Format zlib, which XMemcached uses with {@code CompressionMode.ZIP}. */
    ZLIB,
    /** Zstandard; needs {@code com.github.luben:zstd-jni}. */
    ZSTD
}
