// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import java.net.InetAddress;
import java.util.List;

/**
 * Answer of the DNS to a question.
 *
 * @param addresses the A or AAAA records, in any order
 * @param services the SRV records, in any order
 * @param ttlSeconds validity of the answer in seconds: the shortest time to live of its records
 */
record DnsAnswer(List<InetAddress> addresses, List<Service> services, long ttlSeconds) {

    /**
     * SRV record (RFC 2782).
     *
     * @param target a host name, without a trailing dot; empty if the service does not exist
     */
    record Service(int priority, int weight, int port, String target) {}
}
