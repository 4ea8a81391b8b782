package io.memshard.sharding;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.Clients;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's sharded connections, and the clients over them.
 *
 * <p>Owns the connections and their threads; the clients that it hands out are views that need no closing. Opens
 * nothing until the first command.
 *
 * <p>Threading: thread-safe.
 */
public final class Memshard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Memshard.class);

    private final int maxValueBytes;
    private final Duration requestTimeout;
    private final FailurePolicy failurePolicy;
    private final ConnectionGroup group;
    private final ConnectionArray array;
    private final List<CommandSender> pinnedSenders;
    private final List<MemcachedClient<byte[]>> pinned;

    /** Connections with these options; {@link #builder} has their defaults. */
    public Memshard(MemshardOptions options) {
        maxValueBytes = options.connection().maxValueBytes();
        requestTimeout = options.requestTimeout();
        failurePolicy = options.failurePolicy();
        ServerAddress server = options.server();
        group = new ConnectionGroup(options.connection(), options.ioThreads(), options.listener());
        List<Connection> connections = IntStream.range(0, options.connectionsPerServer())
                .mapToObj(index -> group.newConnection(server, index, options.transport()))
                .toList();
        array = new ConnectionArray(connections, options.chooser());
        pinnedSenders = List.copyOf(connections);
        pinned = connections.stream()
                .map(connection -> blocking(connection, Transcoder.bytes()))
                .toList();
        LOG.info("1 server x {} connections to {}, opened when first used", connections.size(), server);
    }

    /** Settings with their defaults. */
    public static MemshardBuilder builder() {
        return new MemshardBuilder();
    }

    /** A blocking client of byte arrays. */
    public MemcachedClient<byte[]> client() {
        return client(Transcoder.bytes());
    }

    /** A blocking client whose values {@code transcoder} turns into bytes. */
    public <V> MemcachedClient<V> client(Transcoder<V> transcoder) {
        return blocking(array, transcoder);
    }

    /**
     * The blocking client of the one connection that the chooser picks now: two commands that one thread sends by it
     * are executed in order. The same object each time the same connection is picked.
     *
     * <p>The client stays with its connection. While the connection is being replaced, the client fails.
     */
    public MemcachedClient<byte[]> pinnedClient() {
        return pinned.get(array.choose());
    }

    /** What takes the commands of each connection, by its index, for modules that put their own clients over it. */
    @SuppressWarnings("exports") // For the template module, which sees what it is.
    public List<CommandSender> pinnedSenders() {
        return pinnedSenders;
    }

    /** The index of the connection that the chooser picks now; 0 when none is ready. */
    public int chooseConnection() {
        return array.choose();
    }

    /** Whether the connection at {@code index} takes commands of blocking callers now. */
    public boolean isReady(int index) {
        return array.connection(index).isReadyToCall();
    }

    /** An asynchronous client of byte arrays. */
    public AsyncMemcachedClient<byte[]> asyncClient() {
        return asyncClient(Transcoder.bytes());
    }

    /** An asynchronous client whose values {@code transcoder} turns into bytes. */
    public <V> AsyncMemcachedClient<V> asyncClient(Transcoder<V> transcoder) {
        return Clients.async(array, transcoder, maxValueBytes, requestTimeout).withFailurePolicy(failurePolicy);
    }

    private <V> MemcachedClient<V> blocking(CommandSender sender, Transcoder<V> transcoder) {
        return Clients.blocking(sender, transcoder, maxValueBytes, requestTimeout)
                .withFailurePolicy(failurePolicy);
    }

    /** What an operator asks of the server: statistics, version, flush_all, verbosity. */
    public AdminClient admin() {
        return Clients.admin(senders(), requestTimeout);
    }

    /** As {@link #admin}, for asynchronous callers. */
    public AsyncAdminClient asyncAdmin() {
        return Clients.asyncAdmin(senders(), requestTimeout);
    }

    private Map<ServerAddress, CommandSender> senders() {
        return Map.of(array.connection(0).server(), array);
    }

    /** The state of each connection, by its index. */
    public List<ConnectionState> connectionStates() {
        return IntStream.range(0, array.size())
                .mapToObj(index -> array.connection(index).state())
                .toList();
    }

    /**
     * Closes every connection, fails what is in flight, and ends every thread. Idempotent.
     *
     * <p>What is in flight fails at once. Then this waits for the threads, about ten seconds at most. A stage that
     * depends on a future, or a listener, may hold up a thread longer: that thread ends when the stage or listener
     * returns. Stages and listeners may call this too. On a thread of a client it waits for no thread, and the threads
     * end after it has returned.
     */
    @Override
    public void close() {
        group.close();
    }
}
