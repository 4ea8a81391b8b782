// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.CompletableFuture;

/** Future that {@link Exchange#toFuture} returns, with its timeout. */
final class TimedFuture<T> extends CompletableFuture<T> {

    final long timeoutNanos;

    /** True once a thread was given the future to complete. A hint: giving it to a second thread is harmless. */
    boolean isPassedOn;

    TimedFuture(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }
}
