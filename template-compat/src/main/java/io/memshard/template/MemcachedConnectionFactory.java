package io.memshard.template;

/**
 * Opens connections to a memcached server, owns them, and hands them out.
 *
 * <p>Built once per application: in Spring as a {@code @Bean}, closed with the context.
 *
 * <p>Threading: thread-safe. {@link #getConnection()} takes no lock and allocates nothing in the
 * modes single and sharded; in mode pooled it may wait for another caller to return a connection.
 */
public interface MemcachedConnectionFactory extends AutoCloseable {

    /** A builder with the defaults: engine memshard, mode sharded, 2 connections. */
    static MemcachedConnectionFactoryBuilder builder() {
        return new MemcachedConnectionFactoryBuilder();
    }

    /**
     * A handle pinned to one connection: a borrowed one, the only one, or the one the chooser picks
     * now.
     *
     * <p>In mode pooled each call borrows another connection, which is gone from the pool until its handle is closed:
     * {@code getConnection().get(key, serializer)} in one expression loses one at each call, so use
     * try-with-resources there. In the other modes closing does nothing, and a handle can be kept and shared for ever.
     *
     * @throws io.memshard.client.exception.MemcachedOverloadException if the pool stayed exhausted for
     *     its wait limit
     * @throws io.memshard.client.exception.MemcachedConnectionException if the pool cannot open a
     *     connection, or is closed; in the other modes the first command on the handle says so
     */
    MemcachedConnection getConnection();

    /** The library behind the connections. */
    Engine engine();

    /** How connections are shared. */
    Mode mode();

    /**
     * Closes every connection, those in use as well, and ends their threads; calls in flight fail.
     * Closing again does nothing.
     */
    @Override
    void close();
}
