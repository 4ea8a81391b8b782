// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.netty.util.internal.PlatformDependent;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Benchmark of queues: does a queue with two locks beat one with a single lock, or one without locks, with {@code -t}
 * threads?
 *
 * <p>{@link #pool} is the pattern of a pool: each thread takes one of as many tokens as there are threads and puts it
 * back. {@link #client} is the pattern of a client: threads put a request and sleep, and one more thread takes and
 * answers all requests. Every wait for a token, for a request or for an answer is the same for all queues, so only the
 * queues differ. Not measured: a full or an empty queue that blocks.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(3)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class QueueBenchmark {

    /** Capacity of the bounded queues, as of spymemcached's: more than there are threads, so no offer fails. */
    private static final int CAPACITY = 16_384;

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Queue under test. */
    public enum Kind {
        /** One lock: the queue of spymemcached. */
        ARRAY_BLOCKING_QUEUE(() -> new ArrayBlockingQueue<>(CAPACITY)),
        /** One lock, whose waiters get it in order. */
        ARRAY_BLOCKING_QUEUE_FAIR(() -> new ArrayBlockingQueue<>(CAPACITY, true)),
        /** One lock for both ends: the JDK's form of the deque of Commons Pool. */
        LINKED_BLOCKING_DEQUE(LinkedBlockingDeque::new),
        /** A lock for each end. */
        LINKED_BLOCKING_QUEUE(LinkedBlockingQueue::new),
        CONCURRENT_LINKED_QUEUE(ConcurrentLinkedQueue::new),
        /** No lock: BoneCP's. */
        LINKED_TRANSFER_QUEUE(LinkedTransferQueue::new),
        /** No lock, over an array, for many takers: JCTools, as Netty has it. */
        MPMC(() -> PlatformDependent.newFixedMpmcQueue(CAPACITY)),
        /** No lock, over an array, for one taker: JCTools, as Netty has it. By {@code -p}, and only for a client. */
        MPSC(() -> PlatformDependent.newFixedMpscQueue(CAPACITY));

        @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
        private final Supplier<Queue<Object>> maker;

        Kind(Supplier<Queue<Object>> maker) {
            this.maker = maker;
        }
    }

    /** Queue under test. */
    @Param({
        "ARRAY_BLOCKING_QUEUE",
        "ARRAY_BLOCKING_QUEUE_FAIR",
        "LINKED_BLOCKING_DEQUE",
        "LINKED_BLOCKING_QUEUE",
        "CONCURRENT_LINKED_QUEUE",
        "LINKED_TRANSFER_QUEUE",
        "MPMC"
    })
    public Kind queue;

    private Queue<Object> tokens;
    private Queue<Object> requests;
    private Thread answering;

    /** True while the answering thread sleeps, or is about to look for requests a last time before it sleeps. */
    private volatile boolean sleeping;

    private volatile boolean closed;

    /** Puts a token for each thread, and starts the thread that answers. */
    @Setup(Level.Trial)
    public void open(BenchmarkParams params) {
        if (queue == Kind.MPSC && params.getBenchmark().endsWith(".pool")) {
            throw new IllegalStateException("a queue for one taker is no pool");
        }
        tokens = queue.maker.get();
        for (int i = 0; i < params.getThreads(); i++) {
            tokens.add(new Object());
        }
        requests = queue.maker.get();
        answering = new Thread(this::answer, "answering");
        answering.setDaemon(true);
        answering.start();
    }

    /** Ends the thread that answers. */
    @TearDown(Level.Trial)
    public void close() throws InterruptedException {
        closed = true;
        LockSupport.unpark(answering);
        answering.join();
    }

    /** Takes a token and puts it back. */
    @Benchmark
    public Object pool() {
        Object token = tokens.poll();
        if (token == null || !tokens.offer(token)) {
            throw new IllegalStateException("a token or its place is missing");
        }
        return token;
    }

    /** Puts a request, and sleeps until it is answered. */
    @Benchmark
    public Object client() {
        Request request = new Request(Thread.currentThread());
        if (!requests.offer(request)) {
            throw new IllegalStateException("the queue is full");
        }
        // Either this thread sees that the other sleeps, or the other sees the request before it sleeps.
        VarHandle.fullFence();
        if (sleeping) {
            LockSupport.unpark(answering);
        }
        while (!request.answered) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        return request;
    }

    private static final class Request {

        private final Thread caller;
        private volatile boolean answered;

        Request(Thread caller) {
            this.caller = caller;
        }
    }

    private void answer() {
        List<Object> batch = new ArrayList<>();
        while (!closed) {
            take(batch);
            if (batch.isEmpty()) {
                sleep();
            }
            for (Object request : batch) {
                ((Request) request).answered = true;
                LockSupport.unpark(((Request) request).caller);
            }
            batch.clear();
        }
    }

    /** Takes all requests, in one call from a queue that can do so, as spymemcached does. */
    private void take(List<Object> batch) {
        if (requests instanceof BlockingQueue<Object> blocking) {
            blocking.drainTo(batch);
            return;
        }
        for (Object request = requests.poll(); request != null; request = requests.poll()) {
            batch.add(request);
        }
    }

    private void sleep() {
        sleeping = true;
        if (requests.isEmpty() && !closed) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        sleeping = false;
    }
}
