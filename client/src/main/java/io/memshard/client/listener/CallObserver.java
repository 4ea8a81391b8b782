// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observer of calls, for tracing. The calling thread runs the observer before anything is sent. An implementation must
 * run the body of the call once, on the same thread, and return the body's result.
 *
 * <p>Failure: exceptions of the observer are thrown to the caller.
 *
 * <p>Threading: called by many threads at once; must not block.
 */
public interface CallObserver {

    /**
     * Runs a blocking call.
     *
     * @param body supplier that executes the call, and returns the result or throws the exception of the call
     */
    <T extends @Nullable Object> T call(Call call, Supplier<T> body);

    /**
     * Starts an asynchronous call.
     *
     * @param body supplier that sends the call's commands and returns the future of the result
     * @return the future that the caller gets instead of the body's future
     */
    <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body);
}
