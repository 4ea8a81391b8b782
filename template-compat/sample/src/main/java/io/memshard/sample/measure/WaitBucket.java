// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.util.List;
import java.util.stream.Stream;

/** Causes of a caller's wait. The words and rules are a short form of those in the benchmarks' lock profiles. */
public enum WaitBucket {
    /** Another thread held a lock. */
    LOCK,
    /** No free client in the pool, or no free place in a queue. */
    POOL_EXHAUSTED,
    /** The reply to the command had not arrived. */
    REPLY,
    /** The repository had not answered. */
    REPOSITORY,
    /** No other cause applies. */
    UNCLASSIFIED;

    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final List<String> EXCLUSIVE =
            List.of(LOCKS + "ReentrantLock$", LOCKS + "ReentrantReadWriteLock$", LOCKS + "StampedLock");
    private static final List<String> FUTURES = List.of(
            "java.util.concurrent.CountDownLatch$Sync",
            "java.util.concurrent.CompletableFuture$Signaller",
            "java.util.concurrent.FutureTask");
    private static final List<String> POOLS =
            List.of("org.apache.commons.pool2.", "net.spy.memcached.protocol.TCPMemcachedNodeImpl.addOp");

    /**
     * Returns the bucket of a park.
     *
     * @param blocker binary name of the class of the object that the thread parked on; empty for none
     * @param frames the stack, innermost first, each {@code package.Type.method}
     */
    static WaitBucket ofPark(String blocker, List<String> frames) {
        if (startsWithAny(blocker, EXCLUSIVE)) {
            return LOCK;
        }
        if (blocker.startsWith("java.util.concurrent.Semaphore$")) {
            return POOL_EXHAUSTED;
        }
        if (startsWithAny(blocker, FUTURES)) {
            return REPLY;
        }
        if (blocker.startsWith(LOCKS) && isUnder(frames, POOLS.stream())) {
            return POOL_EXHAUSTED;
        }
        if (isUnder(frames, Stream.of("io.memshard.client."))) {
            return REPLY;
        }
        return isUnder(frames, Stream.of("io.memshard.sample.catalogue.ProductRepository.query"))
                ? REPOSITORY
                : UNCLASSIFIED;
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    private static boolean isUnder(List<String> frames, Stream<String> prefixes) {
        return prefixes.anyMatch(prefix -> frames.stream().anyMatch(frame -> frame.startsWith(prefix)));
    }
}
