// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** Mode of sending a command: whether a platform thread awaits the reply, and which attempt it is. */
public enum SendMode {

    /** The first attempt, whose reply becomes a future. */
    UNAWAITED(false, false),

    /**
     * The first attempt, whose reply a platform thread is going to await, perhaps after other replies. Where callers do
     * the I/O, no other thread is woken to read the reply.
     */
    AWAITED(true, false),

    /**
     * The second attempt after a failure, otherwise like {@link #UNAWAITED}. If the connection is about to be reopened,
     * the command waits for the connection instead of being refused.
     */
    UNAWAITED_RETRY(false, true),

    /** The second attempt after a failure, otherwise like {@link #AWAITED}. */
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
