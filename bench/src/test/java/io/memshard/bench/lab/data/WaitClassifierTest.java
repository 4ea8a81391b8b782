// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.Wait.WaitKind;
import io.memshard.bench.lab.data.WaitClassifier.WaitRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WaitClassifierTest {

    /**
     * Waits of clients, with what tells them apart: bucket, event, class of the lock, and frames, the innermost first.
     */
    private static final String RECORDED = """
            a monitor of spymemcached | LOCK | MONITOR_ENTER | net.spy.memcached.protocol.ascii.GetOperationImpl
               net.spy.memcached.protocol.BaseOperationImpl.isCancelled net.spy.memcached.MemcachedClient.get
            the selector's wake-up lock | LOCK | MONITOR_ENTER | java.lang.Object sun.nio.ch.EPollSelectorImpl.wakeup
               net.spy.memcached.MemcachedConnection.addOperation
            the lock of the pool's deque | LOCK | PARK | juc.locks.ReentrantLock$NonfairSync
               jdk.internal.misc.Unsafe.park juc.locks.LockSupport.park AQS.acquire juc.locks.ReentrantLock.lock
               org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst
               org.apache.commons.pool2.impl.GenericObjectPool.borrowObject
            Memshard's timer | IDLE | PARK | io.memshard.client.connection.Timer
               io.memshard.client.connection.Timer.run
            Memshard's stand-by reader | IDLE | PARK | io.memshard.client.link.Standby
               io.memshard.client.link.Standby.helpUntilIdle
            JMH's thread during an iteration | IDLE | PARK | AQS$ConditionObject juc.LinkedBlockingQueue.poll
               juc.ExecutorCompletionService.poll org.openjdk.jmh.runner.BenchmarkHandler.runIteration
            a caller that waits for the others at the end of an iteration | IDLE | PARK | juc.CountDownLatch$Sync
               juc.CountDownLatch.await org.openjdk.jmh.runner.InfraControl.preTearDown
               org.openjdk.jmh.runner.BenchmarkHandler$BenchmarkTask.call
            a caller of JMH that waits for a reply | REPLY | PARK | juc.CountDownLatch$Sync
               net.spy.memcached.internal.OperationFuture.get io.memshard.bench.lab.ArmBenchmark.cycle
               org.openjdk.jmh.runner.BenchmarkHandler$BenchmarkTask.call
            a fair lock | LOCK | PARK | juc.locks.ReentrantLock$FairSync juc.locks.ReentrantLock.lock
            a read-write lock | LOCK | PARK | juc.locks.ReentrantReadWriteLock$NonfairSync AQS.acquireShared
            a stamped lock | LOCK | PARK | juc.locks.StampedLock juc.locks.StampedLock.acquireWrite
            a lock of somebody's own | LOCK | PARK | com.example.SpinSync juc.locks.LockSupport.park AQS.acquire
               com.example.SpinLock.lock
            the lock of a task queue | LOCK | PARK | juc.locks.ReentrantLock$NonfairSync
               juc.locks.ReentrantLock.lockInterruptibly juc.LinkedBlockingQueue.take juc.ThreadPoolExecutor.getTask
            an empty pool, waiting for ever | POOL_EXHAUSTED | PARK | AQS$ConditionObject AQS$ConditionObject.await
               org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst
               org.apache.commons.pool2.impl.GenericObjectPool.borrowObject
            an empty pool, with a limit | POOL_EXHAUSTED | PARK | AQS$ConditionObject AQS$ConditionObject.awaitNanos
               org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst
               org.apache.commons.pool2.impl.GenericObjectPool.borrowObject
            a full operation queue | POOL_EXHAUSTED | PARK | AQS$ConditionObject juc.ArrayBlockingQueue.offer
               net.spy.memcached.protocol.TCPMemcachedNodeImpl.addOp
            a semaphore | POOL_EXHAUSTED | PARK | juc.Semaphore$NonfairSync AQS.acquireSharedInterruptibly
            a pool on the JDK's deque | POOL_EXHAUSTED | PARK | AQS$ConditionObject juc.LinkedBlockingDeque.takeFirst
               com.example.Pool.borrow
            a pool of connections on a fair queue of its own | POOL_EXHAUSTED | PARK | juc.CountDownLatch$Sync
               juc.CountDownLatch.await org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll
               org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection
            a pool of connections that hands over | POOL_EXHAUSTED | PARK | juc.SynchronousQueue$TransferQueue
               juc.SynchronousQueue.poll com.zaxxer.hikari.util.ConcurrentBag.borrow
            an empty pool of connections | POOL_EXHAUSTED | PARK | AQS$ConditionObject AQS$ConditionObject.awaitNanos
               com.alibaba.druid.pool.DruidDataSource.pollLast
            an empty pool that waits on a monitor | POOL_EXHAUSTED | MONITOR_WAIT |
               org.apache.commons.pool.impl.GenericObjectPool$Latch java.lang.Object.wait
               org.apache.commons.pool.impl.GenericObjectPool.borrowObject
            the maker of connections, which has none to make | UNCLASSIFIED | PARK | AQS$ConditionObject
               AQS$ConditionObject.await com.alibaba.druid.pool.DruidDataSource$CreateConnectionThread.run
            an experiment that holds a connection | IDLE | PARK | null juc.locks.LockSupport.parkNanos
               io.memshard.bench.lab.experiment.Hold.hold
            the reply in spymemcached | REPLY | PARK | juc.CountDownLatch$Sync AQS.acquire AQS.tryAcquireSharedNanos
               juc.CountDownLatch.await net.spy.memcached.internal.OperationFuture.get
            the reply in XMemcached | REPLY | PARK | juc.CountDownLatch$Sync juc.CountDownLatch.await
               net.rubyeye.xmemcached.XMemcachedClient.latchWait
            the reply in folsom | REPLY | PARK | juc.CompletableFuture$Signaller juc.CompletableFuture.timedGet
               com.spotify.folsom.client.Utils.get
            a future task | REPLY | PARK | juc.FutureTask juc.FutureTask.awaitDone
            a promise | REPLY | MONITOR_WAIT | io.netty.util.concurrent.DefaultPromise java.lang.Object.wait
               io.netty.util.concurrent.DefaultPromise.await
            the reply in memshard | REPLY | PARK | null juc.locks.LockSupport.parkNanos
               io.memshard.client.connection.PendingReply.await io.memshard.client.BlockingClient.get
            a worker of a pool of threads | IDLE | PARK | AQS$ConditionObject juc.LinkedBlockingQueue.take
               juc.ThreadPoolExecutor.getTask
            a worker on a hand-over queue | IDLE | PARK | juc.SynchronousQueue$TransferStack juc.SynchronousQueue.poll
               juc.ThreadPoolExecutor.getTask
            a worker on a deque | IDLE | PARK | AQS$ConditionObject juc.LinkedBlockingDeque.take
               juc.ThreadPoolExecutor.getTask
            a scheduler | IDLE | PARK | AQS$ConditionObject juc.ScheduledThreadPoolExecutor$DelayedWorkQueue.take
               juc.ThreadPoolExecutor.getTask
            a fork-join worker | IDLE | PARK | juc.ForkJoinPool juc.ForkJoinPool.awaitWork
            a timer | IDLE | MONITOR_WAIT | java.util.TaskQueue java.lang.Object.wait java.util.TimerThread.mainLoop
            the cleaner | IDLE | MONITOR_WAIT | java.lang.ref.ReferenceQueue$Lock java.lang.Object.wait
               java.lang.ref.ReferenceQueue.remove jdk.internal.ref.CleanerImpl.run
            the recorder | IDLE | MONITOR_ENTER | jdk.jfr.internal.PlatformRecorder
               jdk.jfr.internal.PlatformRecorder.takeNap
            an unknown condition | UNCLASSIFIED | PARK | AQS$ConditionObject AQS$ConditionObject.await
               com.example.Gate.pass
            an unknown Object.wait | UNCLASSIFIED | MONITOR_WAIT | com.example.Gate java.lang.Object.wait
               com.example.Gate.pass
            a park for nothing | UNCLASSIFIED | PARK | null juc.locks.LockSupport.parkNanos com.example.BackOff.pause
            a park without a stack | UNCLASSIFIED | PARK | null
            """;

    static Stream<Arguments> recordedWaits() {
        return RECORDED.replaceAll("\n +", " ")
                .replace("AQS", "juc.locks.AbstractQueuedSynchronizer")
                .replace("juc.", "java.util.concurrent.")
                .lines()
                .map(line -> line.split(" \\| ", -1))
                .map(wait -> Arguments.of(
                        wait[0], WaitBucket.valueOf(wait[1]), wait(WaitKind.valueOf(wait[2]), wait[3].split(" ", -1))));
    }

    private static Wait wait(WaitKind kind, String... lockAndFrames) {
        List<String> frames = List.of(lockAndFrames).subList(1, lockAndFrames.length);
        return new Wait(kind, lockAndFrames[0].equals("null") ? null : lockAndFrames[0], frames);
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

        assertThat(WaitClassifier.RULES).isSubsetOf(reached);
    }

    @Test
    void siteIsTheFirstFrameOutsideTheJdk() {
        assertThat(wait(WaitKind.PARK, "null", "jdk.internal.misc.Unsafe.park", "a.Pool.borrow", "a.Main.main")
                        .site())
                .isEqualTo("a.Pool.borrow");
        assertThat(wait(WaitKind.PARK, "null", "java.lang.Thread.run").site()).isEqualTo("java.lang.Thread.run");
        assertThat(wait(WaitKind.PARK, "null").site()).isEqualTo("?");
    }
}
