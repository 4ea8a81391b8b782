// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.sharding.cluster.MemshardOptions;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;

/**
 * Connection factory of a client whose commands fail at once if the server is down or the queue is full. The client's
 * constructor fills the lists, which then never change, so any thread may read them.
 */
final class OneNodeConnectionFactory extends DefaultConnectionFactory {

    private final long requestTimeoutMillis;
    private final ExecutorService listenerExecutor;
    private final List<Queue<Operation>> queues = new ArrayList<>();
    private final List<MemcachedNode> nodes = new ArrayList<>();

    OneNodeConnectionFactory(MemshardOptions options, ExecutorService listenerExecutor) {
        this.listenerExecutor = listenerExecutor;
        this.requestTimeoutMillis = Math.max(1, options.requestTimeout.toMillis());
    }

    @Override
    public MemcachedNode createMemcachedNode(SocketAddress address, SocketChannel channel, int bufferBytes) {
        MemcachedNode node = super.createMemcachedNode(address, channel, bufferBytes);
        nodes.add(node);
        return node;
    }

    MemcachedNode node() {
        return nodes.get(0);
    }

    int inFlight() {
        int sum = 0;
        for (Queue<Operation> queue : queues) {
            sum += queue.size();
        }
        return sum;
    }

    /** Cancels the operations that the shutdown has left in the queues. Otherwise these operations would time out. */
    void cancelAll() {
        for (Queue<Operation> queue : queues) {
            for (Operation operation = queue.poll(); operation != null; operation = queue.poll()) {
                operation.cancel();
            }
        }
    }

    @Override
    public BlockingQueue<Operation> createOperationQueue() {
        return recorded(super.createOperationQueue());
    }

    @Override
    public BlockingQueue<Operation> createReadOperationQueue() {
        return recorded(super.createReadOperationQueue());
    }

    @Override
    public BlockingQueue<Operation> createWriteOperationQueue() {
        return recorded(super.createWriteOperationQueue());
    }

    private BlockingQueue<Operation> recorded(BlockingQueue<Operation> queue) {
        queues.add(queue);
        return queue;
    }

    @Override
    public ExecutorService getListenerExecutorService() {
        return listenerExecutor;
    }

    /** Returns false, so that spymemcached does not shut the executor down. */
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
