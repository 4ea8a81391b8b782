// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** The states of a server, as a client sees it over all its connections. */
public enum ServerState {
    /** Commands go there. So it is at first, before anything is known. */
    UP,
    /** It has failed too often in a row: no commands go there. It is probed from time to time. */
    EJECTED,
    /** No commands go there yet. It has answered a probe, and has to answer more. */
    PROBING
}
