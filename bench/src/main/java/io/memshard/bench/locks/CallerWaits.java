// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

/**
 * All waits of one bucket, of the callers or of the other threads.
 *
 * <p>Threading: immutable.
 *
 * @param bucket why they waited
 * @param ofCallers true for threads that call, false for the system's own
 * @param waits number of waits that began in the window
 * @param totalMillis blocked time, all waits together
 */
public record CallerWaits(WaitBucket bucket, boolean ofCallers, long waits, double totalMillis) {}
