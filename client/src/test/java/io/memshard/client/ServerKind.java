package io.memshard.client;

/** The kinds of server that the operations run on; {@link SharedServers} has one of each. */
enum ServerKind {
    /** The best there is. */
    FOUND,
    EMBEDDED,
    /** A proxy in front of {@link #FOUND}. */
    TWEMPROXY
}
