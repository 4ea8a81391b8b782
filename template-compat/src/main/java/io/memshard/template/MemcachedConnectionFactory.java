package io.memshard.template;

/**
 * Opens connections to a memcached server, owns them, and hands them out.
 *
 * <p>Built once per application: in Spring as a {@code @Bean}, closed with the context.
 *
 * <p>Threading: thread-safe. {@link #getConnection()} takes no lock and allocates nothing in the modes single and
 * sharded. In mode pooled it may wait until another caller returns a connection.
 */
public interface MemcachedConnectionFactory extends AutoCloseable {

    /** A builder with the defaults: engine memshard, mode sharded, 2 connections. */
    static MemcachedConnectionFactoryBuilder builder() {
        return new MemcachedConnectionFactoryBuilder();
    }

    /**
     * A handle pinned to one connection: a borrowed one, the only one, or the one the chooser picks now.
     *
     * <p>In mode pooled each call borrows another connection, which the pool lacks until its handle is closed. There
     * {@code getConnection().get(key, serializer)} in one expression loses a connection at each call, so use
     * try-with-resources. In the other modes closing does nothing, and a handle can be kept and shared.
     *
     * @throws io.memshard.client.exception.MemcachedOverloadException if the pool stayed exhausted for its wait limit
     * @throws io.memshard.client.exception.MemcachedConnectionException if the pool cannot open a connection, or is
     *     closed; in the other modes the first command on the handle throws it
     */
    MemcachedConnection getConnection();

    /** The library of the connections. */
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
