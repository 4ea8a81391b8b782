// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.util.List;
import java.util.stream.Stream;

/** Why a caller waited. The words and the rules are those of the lock profiles of the benchmarks, in short. */
public enum WaitBucket {
    /** Another thread held a lock. */
    LOCK,
    /** Nothing was free: no client in the pool, no place in a queue. */
    POOL_EXHAUSTED,
    /** The command was under way. */
    REPLY,
    /** The repository had not answered. */
    REPOSITORY,
    /** None of these. */
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
     * The bucket of a park.
     *
     * @param blocker binary name of the class that the thread parked for; empty for none
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
