// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** Conditions under which the health of a client is DOWN. */
public enum DownWhen {
    /** At least one server is down. */
    ANY,
    /** All servers are down. */
    ALL,
    /** The health is never DOWN. Its details show which servers are down. */
    NEVER
}
