// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** Mode of sending a command: a platform thread may await the reply, and the attempt may be the second. */
public enum SendMode {
    UNAWAITED,

    /** First attempt, whose reply a platform thread awaits. If callers do the I/O, no other thread is woken to read. */
    AWAITED,

    /** Second attempt, which waits for a connection that is about to be reopened. */
    UNAWAITED_RETRY,

    AWAITED_RETRY;

    public boolean isAwaited() {
        return this == AWAITED || this == AWAITED_RETRY;
    }

    public boolean isRetry() {
        return this == UNAWAITED_RETRY || this == AWAITED_RETRY;
    }

    public SendMode retry() {
        return isAwaited() ? AWAITED_RETRY : UNAWAITED_RETRY;
    }
}
