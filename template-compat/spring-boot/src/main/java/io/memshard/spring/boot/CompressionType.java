// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** How values are compressed. */
public enum CompressionType {
    /** Not at all. */
    NONE,
    /** gzip, as older clients on the JVM do. */
    GZIP,
    /** zlib, as XMemcached does in {@code CompressionMode.ZIP}. */
    ZLIB,
    /** Zstandard; needs {@code com.github.luben:zstd-jni}. */
    ZSTD
}
