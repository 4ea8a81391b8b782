// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import java.net.InetAddress;
import java.util.List;

/**
 * What the DNS answers to a question.
 *
 * @param addresses the records A or AAAA, in any order
 * @param services the records SRV, in any order
 * @param ttlSeconds for how long the answer holds: the shortest time to live of its records
 */
record DnsAnswer(List<InetAddress> addresses, List<Service> services, long ttlSeconds) {

    /**
     * A record SRV (RFC 2782).
     *
     * @param target a host name, without a dot at its end; empty if there is no such service
     */
    record Service(int priority, int weight, int port, String target) {}
}
