package io.memshard.client.options;

/** Which of memcached's text protocols is spoken with a server. */
public enum Protocol {
    /**
     * Meta where the server has it, classic text where not; found out when a socket is opened. Classic is spoken with a
     * server that refuses {@code mn}, or hangs up on it again and again, and answers {@code get}. One that keeps silent
     * is neither.
     */
    AUTO,
    /** The meta commands: memcached 1.6 and later, and its own proxy. Other servers are refused. */
    META,
    /**
     * The classic text commands, which every server and proxy has: older memcached, mcrouter, twemproxy. What
     * they cannot say fails with a {@link io.memshard.client.exception.MemcachedUnsupportedException}.
     */
    CLASSIC
}
