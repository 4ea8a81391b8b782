// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands around calls, for tracing. It is asked on the thread that calls, before anything is sent.
 *
 * <p>An implementation runs the body once, on the thread that it was asked on, and gives the caller what it gives.
 *
 * <p>Failure: what it throws is thrown to the caller.
 *
 * <p>Threading: called by many threads at once; must not block.
 */
public interface CallObserver {

    /**
     * Runs a blocking call.
     *
     * @param body returns the result, or throws what the call throws
     */
    <T extends @Nullable Object> T call(Call call, Supplier<T> body);

    /**
     * Starts an asynchronous call.
     *
     * @param body sends what is to be sent, and returns the future of the result
     * @return what the caller gets in place of that future
     */
    <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body);

    /** This observer around {@code inner}. */
    default CallObserver around(CallObserver inner) {
        CallObserver outer = this;
        return new CallObserver() {
            @Override
            public <T extends @Nullable Object> T call(Call call, Supplier<T> body) {
                return outer.call(call, () -> inner.call(call, body));
            }

            @Override
            public <T extends @Nullable Object> CompletableFuture<T> start(
                    Call call, Supplier<CompletableFuture<T>> body) {
                return outer.start(call, () -> inner.start(call, body));
            }
        };
    }
}
