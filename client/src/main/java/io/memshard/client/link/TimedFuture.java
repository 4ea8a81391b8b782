// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.LoopFuture;
import java.util.function.BooleanSupplier;

/** Future that {@link Exchange#toFuture} returns, with its timeout. */
final class TimedFuture<T> extends LoopFuture<T> {

    /** Timeout as an int, so that the object takes 32 bytes. */
    final int timeoutMillis;

    /** True once a thread has to complete the future. A second thread that also completes the future is harmless. */
    boolean isPassedOn;

    boolean isLeftToClient;

    TimedFuture(long timeoutMillis, BooleanSupplier isIoThread) {
        super(isIoThread);
        this.timeoutMillis = (int) Math.min(timeoutMillis, Integer.MAX_VALUE);
    }
}
