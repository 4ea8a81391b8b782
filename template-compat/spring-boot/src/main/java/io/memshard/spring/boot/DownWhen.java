// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Conditions under which the health of a client is down. */
public enum DownWhen {
    /** Down if any server is down. */
    ANY,
    /** Down if all servers are down. */
    ALL,
    /** Never down: the details show which servers are down. */
    NEVER
}
