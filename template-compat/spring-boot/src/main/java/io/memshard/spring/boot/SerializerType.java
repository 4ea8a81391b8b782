// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** How values of the template of objects become bytes. */
public enum SerializerType {
    /** Strings in UTF-8, and nothing else. */
    STRING,
    /** Byte arrays as they are. */
    BYTES,
    /** As spymemcached's default transcoder. */
    SPYMEMCACHED,
    /** As XMemcached's default transcoder. */
    XMEMCACHED,
    /** As Greg Whalin's client. */
    WHALIN,
    /** JSON, by Jackson. */
    JSON
}
