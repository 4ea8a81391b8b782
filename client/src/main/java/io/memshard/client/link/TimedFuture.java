// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.LoopFuture;
import java.util.function.BooleanSupplier;

final class TimedFuture<T> extends LoopFuture<T> {

    /** Timeout as an int, to keep the size of the object at 32 bytes. */
    final int timeoutMillis;

    /** True once a thread was assigned to complete the future. Assigning two threads does no harm. */
    boolean isPassedOn;

    boolean isLeftToClient;

    TimedFuture(long timeoutMillis, BooleanSupplier isIoThread) {
        super(isIoThread);
        this.timeoutMillis = (int) Math.min(timeoutMillis, Integer.MAX_VALUE);
    }
}
