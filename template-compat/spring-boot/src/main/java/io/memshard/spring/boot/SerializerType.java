// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Formats in which templates and caches store values. */
public enum SerializerType {
    /** Strings only, in UTF-8. */
    STRING,
    /** Byte arrays, unchanged. */
    BYTES,
    /** Format of spymemcached's default transcoder. */
    SPYMEMCACHED,
    /** Format of XMemcached's default transcoder. */
    XMEMCACHED,
    /** Format of Greg Whalin's client. */
    WHALIN,
    /** JSON, by Jackson. */
    JSON
}
