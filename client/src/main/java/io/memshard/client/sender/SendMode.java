// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/** Mode of sending a command: whether a platform thread awaits the reply, and whether this is the second attempt. */
public enum SendMode {
    UNAWAITED,

    /** First attempt, whose reply a platform thread awaits. If callers do the I/O, this thread reads the reply. */
    AWAITED,

    /** Second attempt, which waits if the connection is about to be reopened. */
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
