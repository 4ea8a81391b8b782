// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Sources of a client's servers. */
public enum DiscoveryType {
    /** The fixed list in {@code memcached.servers}. */
    NONE,
    /** DNS name with one server per address. */
    DNS_ADDRESSES,
    /** DNS name with one server per SRV record. */
    DNS_SERVICES,
    /** Configuration endpoint of ElastiCache or Memorystore. */
    CONFIGURATION_ENDPOINT,
    /** File with one server per line. */
    FILE
}
