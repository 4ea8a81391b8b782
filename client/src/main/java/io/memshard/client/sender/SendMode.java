// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/**
 * Mode of sending a command. It says whether a platform thread awaits the reply, and whether the attempt is the second.
 */
public enum SendMode {
    UNAWAITED,

    /**
     * First attempt, whose reply a platform thread is going to await. If callers do the I/O, no other thread is woken
     * to read the reply.
     */
    AWAITED,

    /** Second attempt, whose reply becomes a future. Waits for a connection that is about to be reopened. */
    UNAWAITED_RETRY,

    /** Second attempt, whose reply a platform thread is going to await. */
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
