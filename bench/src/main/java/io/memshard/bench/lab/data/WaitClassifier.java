// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import static io.memshard.bench.lab.data.Wait.WaitBucket.IDLE;
import static io.memshard.bench.lab.data.Wait.WaitBucket.LOCK;
import static io.memshard.bench.lab.data.Wait.WaitBucket.POOL_EXHAUSTED;
import static io.memshard.bench.lab.data.Wait.WaitBucket.REPLY;
import static io.memshard.bench.lab.data.Wait.WaitBucket.UNCLASSIFIED;
import static io.memshard.bench.lab.data.Wait.WaitKind.MONITOR_ENTER;
import static io.memshard.bench.lab.data.Wait.WaitKind.PARK;

import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.Wait.WaitKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Classifier of waits by lock and by stack. The class of the lock alone does not tell the kind of wait. */
final class WaitClassifier {

    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final String AQS = LOCKS + "AbstractQueuedSynchronizer";
    private static final String CONDITION = AQS + "$ConditionObject";

    static final List<WaitRule> RULES = List.of(
            WaitRule.of(IDLE)
                    .under(
                            "jdk.jfr.",
                            "org.openjdk.jmh.runner.BenchmarkHandler.runIteration",
                            "org.openjdk.jmh.runner.InfraControl."),
            WaitRule.of(LOCK).when(MONITOR_ENTER),
            WaitRule.of(LOCK)
                    .when(PARK)
                    .on(LOCKS + "ReentrantLock$", LOCKS + "ReentrantReadWriteLock$", LOCKS + "StampedLock"),
            WaitRule.of(POOL_EXHAUSTED)
                    .under(
                            "org.apache.commons.pool.impl.GenericObjectPool.borrowObject",
                            "com.alibaba.druid.pool.DruidDataSource.takeLast",
                            "com.alibaba.druid.pool.DruidDataSource.pollLast",
                            "com.zaxxer.hikari.util.ConcurrentBag.borrow",
                            "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection",
                            "com.jolbox.bonecp.BoneCP.getConnection",
                            "com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable"),
            WaitRule.of(POOL_EXHAUSTED)
                    .on(CONDITION)
                    .under("org.apache.commons.pool2.", "net.spy.memcached.protocol.TCPMemcachedNodeImpl.addOp"),
            WaitRule.of(POOL_EXHAUSTED).on("java.util.concurrent.Semaphore$"),
            WaitRule.of(IDLE)
                    .under(
                            "io.memshard.bench.lab.experiment.Hold.",
                            "java.util.concurrent.ThreadPoolExecutor.getTask",
                            "java.util.concurrent.ForkJoinPool.awaitWork",
                            "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
                            "io.netty.util.concurrent.GlobalEventExecutor.takeTask",
                            "net.rubyeye.xmemcached.impl.MemcachedConnector$SessionMonitor",
                            "java.util.TimerThread.",
                            "java.lang.ref.",
                            "jdk.internal.ref.",
                            "io.memshard.client.connection.Timer.run",
                            "io.memshard.client.link.Standby.helpUntilIdle",
                            "io.netty.util.HashedWheelTimer"),
            WaitRule.of(POOL_EXHAUSTED)
                    .on(CONDITION)
                    .under(
                            "java.util.concurrent.LinkedBlockingDeque.take",
                            "java.util.concurrent.LinkedBlockingDeque.poll"),
            WaitRule.of(REPLY).on("java.util.concurrent.CountDownLatch$Sync"),
            WaitRule.of(REPLY)
                    .on("java.util.concurrent.CompletableFuture$Signaller", "java.util.concurrent.FutureTask"),
            WaitRule.of(REPLY)
                    .under(
                            "java.util.concurrent.CompletableFuture.waitingGet",
                            "java.util.concurrent.CompletableFuture.timedGet",
                            "com.google.common.util.concurrent.AbstractFuture",
                            "io.netty.util.concurrent.DefaultPromise.await"),
            WaitRule.of(REPLY)
                    .when(PARK)
                    .under("io.memshard.client.connection.")
                    .notUnder(AQS),
            WaitRule.of(LOCK)
                    .when(PARK)
                    .under(AQS + ".acquire", AQS + ".tryAcquireNanos")
                    .notUnder(AQS + ".acquireShared", AQS + ".tryAcquireShared"));

    static final WaitRule NO_RULE = WaitRule.of(UNCLASSIFIED);

    private WaitClassifier() {}

    static WaitRule classify(Wait wait) {
        return RULES.stream().filter(rule -> rule.matches(wait)).findFirst().orElse(NO_RULE);
    }

    /** Rule that assigns waits to a bucket. Names match by their prefix, and an empty list matches every name. */
    record WaitRule(
            WaitBucket bucket,
            Set<WaitKind> kinds,
            List<String> lockClasses,
            List<String> under,
            List<String> notUnder) {

        static WaitRule of(WaitBucket bucket) {
            return new WaitRule(bucket, EnumSet.allOf(WaitKind.class), List.of(), List.of(), List.of());
        }

        WaitRule when(WaitKind kind) {
            return new WaitRule(bucket, EnumSet.of(kind), lockClasses, under, notUnder);
        }

        WaitRule on(String... classPrefixes) {
            return new WaitRule(bucket, kinds, List.of(classPrefixes), under, notUnder);
        }

        WaitRule under(String... framePrefixes) {
            return new WaitRule(bucket, kinds, lockClasses, List.of(framePrefixes), notUnder);
        }

        WaitRule notUnder(String... framePrefixes) {
            return new WaitRule(bucket, kinds, lockClasses, under, List.of(framePrefixes));
        }

        boolean matches(Wait wait) {
            return kinds.contains(wait.kind())
                    && (lockClasses.isEmpty() || isOnOneOf(lockClasses, wait))
                    && (under.isEmpty() || under.stream().anyMatch(wait::isUnder))
                    && notUnder.stream().noneMatch(wait::isUnder);
        }

        private static boolean isOnOneOf(List<String> prefixes, Wait wait) {
            String lockClass = wait.lockClass();
            return lockClass != null && prefixes.stream().anyMatch(lockClass::startsWith);
        }
    }
}
