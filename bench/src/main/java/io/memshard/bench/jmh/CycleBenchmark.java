// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of pools: what do a borrow and a return cost, with {@code -t} threads on one pool?
 *
 * <p>All items exist before the first borrow, and a borrow waits for an item without a time limit. Not measured: the
 * work with an item, and the making of items. The pools of other libraries and versions are arms of {@code bench/run
 * lab pool-cycle}. JMH adds up the rates of the threads. Where a pool is unfair, compare the order of the pools and not
 * their ratios.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(3)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class CycleBenchmark {

    /** Way to hand out items. */
    public enum Kind {
        /** Commons Pool as shipped, but with as many idle items as there are. */
        COMMONS_POOL,
        /** The same with a fair lock. */
        COMMONS_POOL_FAIR,
        /** The same without statistics: three monitors fewer. */
        COMMONS_POOL_NO_STATISTICS,
        /** The deque of Commons Pool alone: two acquisitions of one lock. */
        LINKED_BLOCKING_DEQUE,
        /** A semaphore and a queue without locks. */
        SEMAPHORE,
        /** The same; waiting callers get their items in order. */
        SEMAPHORE_FAIR,
        /** Shared items in turn, by one counter: nothing is returned, and no caller waits. */
        ARRAY_ROUND_ROBIN,
        /** Shared items by thread id modulo size. */
        ARRAY_THREAD_ID
    }

    /** Pool under test. */
    @Param
    public Kind pool;

    /** Number of items. */
    @Param("20")
    public int size;

    /** Microseconds for which a caller sleeps with an item; 0 for none. A sleep takes about 60 more. */
    @Param({"0", "200"})
    public int holdMicros;

    private record Pool(Callable<Object> borrow, Consumer<Object> giveBack) {}

    private Pool opened;

    /** Opens the pool and fills it. */
    @Setup(Level.Trial)
    public void open() throws Exception {
        opened = switch (pool) {
            case COMMONS_POOL -> commons(config -> {});
            case COMMONS_POOL_FAIR -> commons(config -> config.setFairness(true));
            case COMMONS_POOL_NO_STATISTICS -> commons(config -> config.setCollectDetailedStatistics(false));
            case LINKED_BLOCKING_DEQUE -> deque();
            case SEMAPHORE -> semaphore(false);
            case SEMAPHORE_FAIR -> semaphore(true);
            case ARRAY_ROUND_ROBIN -> roundRobin();
            case ARRAY_THREAD_ID -> byThreadId();
        };
    }

    /** Borrows an item, holds it and returns it. */
    @Benchmark
    public Object cycle() throws Exception {
        Object item = opened.borrow.call();
        if (holdMicros > 0) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(holdMicros));
        }
        opened.giveBack.accept(item);
        return item;
    }

    private List<Object> items() {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(new Object());
        }
        return items;
    }

    private Pool commons(Consumer<GenericObjectPoolConfig<Object>> change) throws Exception {
        GenericObjectPoolConfig<Object> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(size);
        config.setMaxIdle(size);
        change.accept(config);
        GenericObjectPool<Object> commons = new GenericObjectPool<>(
                new BasePooledObjectFactory<>() {
                    @Override
                    public Object create() {
                        return new Object();
                    }

                    @Override
                    public PooledObject<Object> wrap(Object made) {
                        return new DefaultPooledObject<>(made);
                    }
                },
                config);
        commons.addObjects(size);
        return new Pool(commons::borrowObject, commons::returnObject);
    }

    private Pool deque() {
        LinkedBlockingDeque<Object> idle = new LinkedBlockingDeque<>(items());
        return new Pool(idle::takeFirst, idle::addFirst);
    }

    private Pool semaphore(boolean fair) {
        Semaphore permits = new Semaphore(size, fair);
        ConcurrentLinkedQueue<Object> idle = new ConcurrentLinkedQueue<>(items());
        return new Pool(
                () -> {
                    permits.acquire();
                    return idle.remove();
                },
                item -> {
                    idle.add(item);
                    permits.release();
                });
    }

    private Pool roundRobin() {
        AtomicInteger next = new AtomicInteger();
        return shared(() -> (next.getAndIncrement() & Integer.MAX_VALUE) % size);
    }

    // Thread.threadId() does not exist before JDK 19.
    @SuppressWarnings("deprecation")
    private Pool byThreadId() {
        return shared(() -> (int) (Thread.currentThread().getId() % size));
    }

    private Pool shared(IntSupplier chooser) {
        Object[] items = items().toArray();
        return new Pool(() -> items[chooser.getAsInt()], item -> {});
    }
}
