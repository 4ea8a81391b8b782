// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/**
 * Mode of sending a command. It says whether a platform thread awaits the reply, and whether the attempt is the second.
 */
public enum SendMode {
    UNAWAITED(false, false),

    /**
     * First attempt, whose reply a platform thread is going to await. If callers do the I/O, no other thread is woken
     * to read the reply.
     */
    AWAITED(true, false),

    /** Second attempt, whose reply becomes a future. Waits for a connection that is about to be reopened. */
    UNAWAITED_RETRY(false, true),

    /** Second attempt, whose reply a platform thread is going to await. */
    AWAITED_RETRY(true, true);

    private final boolean isAwaited;
    private final boolean isRetry;

    SendMode(boolean isAwaited, boolean isRetry) {
        this.isAwaited = isAwaited;
        this.isRetry = isRetry;
    }

    public boolean isAwaited() {
        return isAwaited;
    }

    public boolean isRetry() {
        return isRetry;
    }

    public SendMode retry() {
        return isAwaited ? AWAITED_RETRY : UNAWAITED_RETRY;
    }
}
