// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Sources of the list of a client's servers. */
public enum DiscoveryType {
    /** Fixed list in {@code memcached.servers}. */
    NONE,
    /** DNS name that has one address for each server. */
    DNS_ADDRESSES,
    /** DNS name that has one SRV record for each server. */
    DNS_SERVICES,
    /** Configuration endpoint of ElastiCache or Memorystore. */
    CONFIGURATION_ENDPOINT,
    /** File with one server per line. */
    FILE
}
