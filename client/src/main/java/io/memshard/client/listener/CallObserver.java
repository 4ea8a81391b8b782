// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observer of calls, for tracing. The calling thread runs the observer before anything is sent. An implementation runs
 * the body of the call once, on the same thread, and returns the body's result to the caller.
 *
 * <p>Failure: exceptions of the observer are thrown to the caller.
 *
 * <p>Threading: called by many threads at once; must not block.
 */
public interface CallObserver {

    /**
     * Runs a blocking call.
     *
     * @param body supplier of the call's result, which throws the call's exception on failure
     */
    <T extends @Nullable Object> T call(Call call, Supplier<T> body);

    /**
     * Starts an asynchronous call.
     *
     * @param body sender of the call's commands, which returns the future of the result
     * @return future that the caller gets instead of the body's future
     */
    <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body);
}
