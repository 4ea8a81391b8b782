// SPDX-License-Identifier: Apache-2.0
/**
 * Lock profiles: what the threads of each contender wait for, read from JFR recordings of runs that are not timed.
 * Above {@code result} and {@code contender}; the report reads this package's records.
 *
 * <p>Start reading at {@link io.memshard.bench.locks.WaitClassifier}, which defines the reasons for waits, then {@link
 * io.memshard.bench.locks.LockProfile}, which sums up a recording. The lab makes the recordings.
 */
@NullMarked
package io.memshard.bench.locks;

import org.jspecify.annotations.NullMarked;
