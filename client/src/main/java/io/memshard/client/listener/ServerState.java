// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

/** States of a server, as a client sees the server over all connections to it. */
public enum ServerState {
    /** Commands are sent to the server. This is the initial state. */
    UP,
    /**
     * No connection is open, and for two seconds no connection could be opened. Commands to the server fail at once.
     * This state also applies to a server that refuses the credentials, and to an unreachable server that is the
     * client's only server.
     */
    UNREACHABLE,
    /** The server has failed too often in a row. The client sends no commands to the server, but probes it. */
    EJECTED,
    /** The server has answered a probe, but must answer more probes before the client sends commands again. */
    PROBING
}
