// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Compression methods of values. */
public enum CompressionType {
    /** No compression. */
    NONE,
    /** gzip, like older clients on the JVM. */
    GZIP,
    /** zlib, like XMemcached with {@code CompressionMode.ZIP}. */
    ZLIB,
    /** Zstandard; needs {@code com.github.luben:zstd-jni}. */
    ZSTD
}
