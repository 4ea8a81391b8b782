// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.CompletableFuture;

/** Future that {@link Exchange#toFuture} returns, with its timeout. */
final class TimedFuture<T> extends CompletableFuture<T> {

    final long timeoutNanos;

    /** Hint only: without it the future is passed on once more, which is harmless. */
    boolean isPassedOn;

    TimedFuture(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }
}
