package io.memshard.client;

/** The kinds of server that the operations run on; {@link SharedServers} has one of each. */
enum ServerKind {
    /** The best there is: mostly the memcached on the PATH. */
    FOUND,
    /** The memcached on the PATH with TLS. */
    TLS,
    /** The memcached on the PATH with text authentication. */
    AUTHENTICATED,
    DOCKER,
    DOCKER_TLS,
    DOCKER_AUTHENTICATED,
    EMBEDDED,
    EMBEDDED_AUTHENTICATED,
    /** A proxy in front of {@link #FOUND}. */
    TWEMPROXY;

    boolean hasTls() {
        return this == TLS || this == DOCKER_TLS;
    }

    boolean hasUsers() {
        return this == AUTHENTICATED || this == DOCKER_AUTHENTICATED || this == EMBEDDED_AUTHENTICATED;
    }
}
