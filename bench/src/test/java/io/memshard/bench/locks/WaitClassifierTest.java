// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.locks.Wait.WaitKind;
import io.memshard.bench.locks.WaitClassifier.WaitRule;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WaitClassifierTest {

    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final String CONDITION = LOCKS + "AbstractQueuedSynchronizer$ConditionObject";

    /** Stacks as recorded from the clients, innermost frame first, shortened to what tells them apart. */
    static Stream<Arguments> recordedWaits() {
        return Stream.of(
                wait(
                        "a monitor of spymemcached",
                        WaitBucket.LOCK,
                        monitor(
                                "net.spy.memcached.protocol.ascii.GetOperationImpl",
                                "net.spy.memcached.protocol.BaseOperationImpl.isCancelled",
                                "net.spy.memcached.MemcachedClient.get")),
                wait(
                        "the selector's wake-up lock",
                        WaitBucket.LOCK,
                        monitor(
                                "java.lang.Object",
                                "sun.nio.ch.EPollSelectorImpl.wakeup",
                                "net.spy.memcached.MemcachedConnection.addOperation")),
                wait(
                        "the lock of the pool's deque",
                        WaitBucket.LOCK,
                        park(
                                LOCKS + "ReentrantLock$NonfairSync",
                                "jdk.internal.misc.Unsafe.park",
                                LOCKS + "LockSupport.park",
                                LOCKS + "AbstractQueuedSynchronizer.acquire",
                                LOCKS + "ReentrantLock.lock",
                                "org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst",
                                "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject")),
                wait(
                        "Memshard's timer",
                        WaitBucket.IDLE,
                        park("io.memshard.client.connection.Timer", "io.memshard.client.connection.Timer.run")),
                wait(
                        "Memshard's stand-by reader",
                        WaitBucket.IDLE,
                        park("io.memshard.client.link.Standby", "io.memshard.client.link.Standby.helpUntilIdle")),
                wait(
                        "JMH's thread during an iteration",
                        WaitBucket.IDLE,
                        park(
                                CONDITION,
                                "java.util.concurrent.LinkedBlockingQueue.poll",
                                "java.util.concurrent.ExecutorCompletionService.poll",
                                "org.openjdk.jmh.runner.BenchmarkHandler.runIteration")),
                wait(
                        "a caller that waits for the others at the end of an iteration",
                        WaitBucket.IDLE,
                        park(
                                "java.util.concurrent.CountDownLatch$Sync",
                                "java.util.concurrent.CountDownLatch.await",
                                "org.openjdk.jmh.runner.InfraControl.preTearDown",
                                "org.openjdk.jmh.runner.BenchmarkHandler$BenchmarkTask.call")),
                wait(
                        "a caller of JMH that waits for a reply",
                        WaitBucket.REPLY,
                        park(
                                "java.util.concurrent.CountDownLatch$Sync",
                                "net.spy.memcached.internal.OperationFuture.get",
                                "io.memshard.bench.jmh.GetBenchmark.get",
                                "org.openjdk.jmh.runner.BenchmarkHandler$BenchmarkTask.call")),
                wait(
                        "a fair lock",
                        WaitBucket.LOCK,
                        park(LOCKS + "ReentrantLock$FairSync", LOCKS + "ReentrantLock.lock")),
                wait(
                        "a read-write lock",
                        WaitBucket.LOCK,
                        park(
                                LOCKS + "ReentrantReadWriteLock$NonfairSync",
                                LOCKS + "AbstractQueuedSynchronizer.acquireShared")),
                wait(
                        "a stamped lock",
                        WaitBucket.LOCK,
                        park(LOCKS + "StampedLock", LOCKS + "StampedLock.acquireWrite")),
                wait(
                        "a lock of somebody's own",
                        WaitBucket.LOCK,
                        park(
                                "com.example.SpinSync",
                                LOCKS + "LockSupport.park",
                                LOCKS + "AbstractQueuedSynchronizer.acquire",
                                "com.example.SpinLock.lock")),
                wait(
                        "the lock of a task queue",
                        WaitBucket.LOCK,
                        park(
                                LOCKS + "ReentrantLock$NonfairSync",
                                LOCKS + "ReentrantLock.lockInterruptibly",
                                "java.util.concurrent.LinkedBlockingQueue.take",
                                "java.util.concurrent.ThreadPoolExecutor.getTask")),
                wait(
                        "an empty pool, waiting for ever",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                CONDITION,
                                CONDITION + ".await",
                                "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst",
                                "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject")),
                wait(
                        "an empty pool, with a limit",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                CONDITION,
                                CONDITION + ".awaitNanos",
                                "org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst",
                                "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject")),
                wait(
                        "a full operation queue",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                CONDITION,
                                "java.util.concurrent.ArrayBlockingQueue.offer",
                                "net.spy.memcached.protocol.TCPMemcachedNodeImpl.addOp")),
                wait(
                        "a semaphore",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                "java.util.concurrent.Semaphore$NonfairSync",
                                LOCKS + "AbstractQueuedSynchronizer.acquireSharedInterruptibly")),
                wait(
                        "a pool on the JDK's deque",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                CONDITION,
                                "java.util.concurrent.LinkedBlockingDeque.takeFirst",
                                "com.example.Pool.borrow")),
                wait(
                        "a pool of connections on a fair queue of its own",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                "java.util.concurrent.CountDownLatch$Sync",
                                "java.util.concurrent.CountDownLatch.await",
                                "org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll",
                                "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection")),
                wait(
                        "a pool of connections that hands over",
                        WaitBucket.POOL_EXHAUSTED,
                        park(
                                "java.util.concurrent.SynchronousQueue$TransferQueue",
                                "java.util.concurrent.SynchronousQueue.poll",
                                "com.zaxxer.hikari.util.ConcurrentBag.borrow")),
                wait(
                        "an empty pool of connections",
                        WaitBucket.POOL_EXHAUSTED,
                        park(CONDITION, CONDITION + ".awaitNanos", "com.alibaba.druid.pool.DruidDataSource.pollLast")),
                wait(
                        "an empty pool that waits on a monitor",
                        WaitBucket.POOL_EXHAUSTED,
                        objectWait(
                                "org.apache.commons.pool.impl.GenericObjectPool$Latch",
                                "java.lang.Object.wait",
                                "org.apache.commons.pool.impl.GenericObjectPool.borrowObject")),
                wait(
                        "the maker of connections, which has none to make",
                        WaitBucket.UNCLASSIFIED,
                        park(
                                CONDITION,
                                CONDITION + ".await",
                                "com.alibaba.druid.pool.DruidDataSource$CreateConnectionThread.run")),
                wait(
                        "an experiment that holds a connection",
                        WaitBucket.IDLE,
                        park(null, LOCKS + "LockSupport.parkNanos", "io.memshard.bench.lab.experiment.Hold.hold")),
                wait(
                        "the reply in spymemcached",
                        WaitBucket.REPLY,
                        park(
                                "java.util.concurrent.CountDownLatch$Sync",
                                LOCKS + "AbstractQueuedSynchronizer.acquire",
                                LOCKS + "AbstractQueuedSynchronizer.tryAcquireSharedNanos",
                                "java.util.concurrent.CountDownLatch.await",
                                "net.spy.memcached.internal.OperationFuture.get")),
                wait(
                        "the reply in XMemcached",
                        WaitBucket.REPLY,
                        park(
                                "java.util.concurrent.CountDownLatch$Sync",
                                "java.util.concurrent.CountDownLatch.await",
                                "net.rubyeye.xmemcached.XMemcachedClient.latchWait")),
                wait(
                        "the reply in folsom",
                        WaitBucket.REPLY,
                        park(
                                "java.util.concurrent.CompletableFuture$Signaller",
                                "java.util.concurrent.CompletableFuture.timedGet",
                                "com.spotify.folsom.client.Utils.get")),
                wait(
                        "a future task",
                        WaitBucket.REPLY,
                        park("java.util.concurrent.FutureTask", "java.util.concurrent.FutureTask.awaitDone")),
                wait(
                        "the reply in memshard",
                        WaitBucket.REPLY,
                        park(
                                null,
                                LOCKS + "LockSupport.parkNanos",
                                "io.memshard.client.connection.PendingReply.await",
                                "io.memshard.client.BlockingClient.get")),
                wait(
                        "a worker of a pool of threads",
                        WaitBucket.IDLE,
                        park(
                                CONDITION,
                                "java.util.concurrent.LinkedBlockingQueue.take",
                                "java.util.concurrent.ThreadPoolExecutor.getTask")),
                wait(
                        "a worker on a hand-over queue",
                        WaitBucket.IDLE,
                        park(
                                "java.util.concurrent.SynchronousQueue$TransferStack",
                                "java.util.concurrent.SynchronousQueue.poll",
                                "java.util.concurrent.ThreadPoolExecutor.getTask")),
                wait(
                        "a worker on a deque",
                        WaitBucket.IDLE,
                        park(
                                CONDITION,
                                "java.util.concurrent.LinkedBlockingDeque.take",
                                "java.util.concurrent.ThreadPoolExecutor.getTask")),
                wait(
                        "a scheduler",
                        WaitBucket.IDLE,
                        park(
                                CONDITION,
                                "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
                                "java.util.concurrent.ThreadPoolExecutor.getTask")),
                wait(
                        "a fork-join worker",
                        WaitBucket.IDLE,
                        park("java.util.concurrent.ForkJoinPool", "java.util.concurrent.ForkJoinPool.awaitWork")),
                wait(
                        "a timer",
                        WaitBucket.IDLE,
                        objectWait("java.util.TaskQueue", "java.lang.Object.wait", "java.util.TimerThread.mainLoop")),
                wait(
                        "the cleaner",
                        WaitBucket.IDLE,
                        objectWait(
                                "java.lang.ref.ReferenceQueue$Lock",
                                "java.lang.Object.wait",
                                "java.lang.ref.ReferenceQueue.remove",
                                "jdk.internal.ref.CleanerImpl.run")),
                wait(
                        "the recorder",
                        WaitBucket.IDLE,
                        monitor("jdk.jfr.internal.PlatformRecorder", "jdk.jfr.internal.PlatformRecorder.takeNap")),
                wait(
                        "an unknown condition",
                        WaitBucket.UNCLASSIFIED,
                        park(CONDITION, CONDITION + ".await", "com.example.Gate.pass")),
                wait(
                        "an unknown Object.wait",
                        WaitBucket.UNCLASSIFIED,
                        objectWait("com.example.Gate", "java.lang.Object.wait", "com.example.Gate.pass")),
                wait(
                        "a park for nothing",
                        WaitBucket.UNCLASSIFIED,
                        park(null, LOCKS + "LockSupport.parkNanos", "com.example.BackOff.pause")),
                wait("a park without a stack", WaitBucket.UNCLASSIFIED, park(null)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("recordedWaits")
    void everyRecordedWaitFallsIntoItsBucket(String what, WaitBucket expected, Wait wait) {
        assertThat(WaitClassifier.classify(wait).bucket()).as(what).isEqualTo(expected);
    }

    @Test
    void everyRuleIsReachedByOneOfTheRecordedWaits() {
        List<WaitRule> reached = recordedWaits()
                .map(arguments -> WaitClassifier.classify((Wait) arguments.get()[2]))
                .toList();

        assertThat(WaitClassifier.RULES)
                .filteredOn(rule -> !rule.reason().equals("future"))
                .isSubsetOf(reached);
    }

    @Test
    void siteIsTheFirstFrameOutsideTheJdk() {
        Wait wait = park(
                CONDITION,
                "jdk.internal.misc.Unsafe.park",
                LOCKS + "LockSupport.park",
                "com.example.Pool.borrow",
                "com.example.Main.main");

        assertThat(wait.site()).isEqualTo("com.example.Pool.borrow");
        assertThat(park(null, "java.lang.Thread.run").site()).isEqualTo("java.lang.Thread.run");
        assertThat(park(null).site()).isEqualTo("?");
    }

    private static Arguments wait(String what, WaitBucket bucket, Wait wait) {
        return Arguments.of(what, bucket, wait);
    }

    private static Wait monitor(String lockClass, String... frames) {
        return new Wait(WaitKind.MONITOR_ENTER, lockClass, List.of(frames));
    }

    private static Wait objectWait(String lockClass, String... frames) {
        return new Wait(WaitKind.MONITOR_WAIT, lockClass, List.of(frames));
    }

    private static Wait park(@Nullable String lockClass, String... frames) {
        return new Wait(WaitKind.PARK, lockClass, List.of(frames));
    }
}
