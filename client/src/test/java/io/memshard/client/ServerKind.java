// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

/**
 * The kinds of server that the operations run on; {@link SharedServers} has one of each. The first two are there on
 * every machine, the last ones on few.
 */
enum ServerKind {
    /** The best there is: mostly the memcached on the PATH. */
    FOUND,
    EMBEDDED,
    EMBEDDED_AUTHENTICATED,
    /** The memcached on the PATH with text authentication. */
    AUTHENTICATED,
    /** The memcached on the PATH with TLS. */
    TLS,
    /** A proxy in front of {@link #FOUND}. */
    TWEMPROXY,
    DOCKER,
    DOCKER_TLS,
    DOCKER_AUTHENTICATED;

    boolean hasTls() {
        return this == TLS || this == DOCKER_TLS;
    }

    boolean hasUsers() {
        return this == AUTHENTICATED || this == DOCKER_AUTHENTICATED || this == EMBEDDED_AUTHENTICATED;
    }
}
