// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

/** When the health of a client is down. */
public enum DownWhen {
    /** When any server is down. */
    ANY,
    /** When all servers are down. */
    ALL,
    /** Never: servers that are down are only shown. */
    NEVER
}
