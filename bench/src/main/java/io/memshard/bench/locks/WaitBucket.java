// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

/**
 * Why a thread waited. Only the first two are the price of sharing; a thread that waits for its reply
 * waits for all that lies between: queues, the scheduler, the network, the server.
 *
 * <p>Threading: immutable.
 */
public enum WaitBucket {
    /** Another thread held a monitor, a {@code ReentrantLock} or another exclusive lock. */
    LOCK("lock"),
    /** Nothing was free: no client in the pool, no permit, no place in a bounded queue. */
    POOL_EXHAUSTED("pool exhausted"),
    /** The command was under way and its reply had not come. */
    REPLY("waiting for the reply"),
    /** A thread of an executor, a timer or the recorder had nothing to do, or an experiment lets a caller pause. */
    IDLE("idle"),
    /** No rule knows this wait. Shown, so that the rules can be mended. */
    UNCLASSIFIED("unclassified");

    private final String label;

    WaitBucket(String label) {
        this.label = label;
    }

    /** How the bucket is called in tables and charts. */
    public String label() {
        return label;
    }
}
