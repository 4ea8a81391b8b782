// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Where the servers of a client come from. */
public enum DiscoveryType {
    /** From {@code memcached.servers}; they stay as they are. */
    NONE,
    /** One for each address of a DNS name. */
    DNS_ADDRESSES,
    /** One for each record SRV of a DNS name. */
    DNS_SERVICES,
    /** From the configuration endpoint of ElastiCache or Memorystore. */
    CONFIGURATION_ENDPOINT,
    /** From a file with a server a line. */
    FILE
}
