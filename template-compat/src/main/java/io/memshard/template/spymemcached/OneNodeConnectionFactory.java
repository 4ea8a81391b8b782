// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.options.Credentials;
import io.memshard.sharding.MemshardOptions;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.OperationFactory;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.auth.PlainCallbackHandler;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.protocol.binary.BinaryOperationFactory;
import org.jspecify.annotations.Nullable;

/**
 * spymemcached's defaults, except where our promises need others, and a view of the one node that it makes.
 *
 * <p>These differ: threads are daemons, and the request timeout is ours. The failure mode is cancel, so that a command
 * to a server that is down fails at once. A full queue refuses at once instead of blocking its caller for 10 seconds.
 * Credentials are for SASL, mechanism PLAIN, which spymemcached has over the binary protocol.
 *
 * <p>Threading: the node and its queues are made while the client is constructed, and safe to read afterwards by any
 * thread.
 */
final class OneNodeConnectionFactory extends DefaultConnectionFactory {

    private final long requestTimeoutMillis;
    private final boolean binaryProtocol;
    private final ExecutorService listenerExecutor;
    private final @Nullable AuthDescriptor authDescriptor;

    /** All that waits to be written or answered: the node's input, write and read queue. */
    private final List<Queue<Operation>> queues = new ArrayList<>();

    private final List<MemcachedNode> nodes = new ArrayList<>();

    /**
     * A factory.
     *
     * @param listenerExecutor what calls the listeners of futures; its owner shuts it down
     */
    OneNodeConnectionFactory(MemshardOptions options, boolean binaryProtocol, ExecutorService listenerExecutor) {
        this.listenerExecutor = listenerExecutor;
        this.requestTimeoutMillis = Math.max(1, options.requestTimeout().toMillis());
        this.binaryProtocol = binaryProtocol;
        Supplier<Credentials> credentials = options.connection().access().credentials();
        this.authDescriptor = credentials == null ? null : plain(credentials.get());
    }

    private static AuthDescriptor plain(Credentials credentials) {
        return new AuthDescriptor(
                new String[] {"PLAIN"}, new PlainCallbackHandler(credentials.user(), credentials.password()));
    }

    @Override
    public @Nullable AuthDescriptor getAuthDescriptor() {
        return authDescriptor;
    }

    @Override
    public MemcachedNode createMemcachedNode(SocketAddress address, SocketChannel channel, int bufferBytes) {
        MemcachedNode node = super.createMemcachedNode(address, channel, bufferBytes);
        nodes.add(node);
        return node;
    }

    /** The node, once the client is constructed. */
    MemcachedNode node() {
        return nodes.get(0);
    }

    /** How many operations are queued or in flight; takes the lock of one queue. */
    int inFlight() {
        int sum = 0;
        for (Queue<Operation> queue : queues) {
            sum += queue.size();
        }
        return sum;
    }

    /** Cancels what a client left in its queues when it was shut down: spymemcached would let it time out. */
    void cancelAll() {
        for (Queue<Operation> queue : queues) {
            for (Operation operation = queue.poll(); operation != null; operation = queue.poll()) {
                operation.cancel();
            }
        }
    }

    @Override
    public OperationFactory getOperationFactory() {
        return binaryProtocol ? new BinaryOperationFactory() : super.getOperationFactory();
    }

    @Override
    public BlockingQueue<Operation> createOperationQueue() {
        return seen(super.createOperationQueue());
    }

    @Override
    public BlockingQueue<Operation> createReadOperationQueue() {
        return seen(super.createReadOperationQueue());
    }

    @Override
    public BlockingQueue<Operation> createWriteOperationQueue() {
        return seen(super.createWriteOperationQueue());
    }

    private BlockingQueue<Operation> seen(BlockingQueue<Operation> queue) {
        queues.add(queue);
        return queue;
    }

    @Override
    public ExecutorService getListenerExecutorService() {
        return listenerExecutor;
    }

    /** Whether spymemcached shuts it down. */
    @Override
    public boolean isDefaultExecutorService() {
        return false;
    }

    @Override
    public boolean isDaemon() {
        return true;
    }

    @Override
    public long getOperationTimeout() {
        return requestTimeoutMillis;
    }

    @Override
    public FailureMode getFailureMode() {
        return FailureMode.Cancel;
    }

    @Override
    public long getOpQueueMaxBlockTime() {
        return 0;
    }
}
