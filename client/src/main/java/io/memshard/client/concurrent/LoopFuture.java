// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import io.memshard.client.exception.MemcachedUnsupportedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Future whose blocking methods throw on the client's event loops, because an event loop might wait for itself. */
public class LoopFuture<T extends @Nullable Object> extends CompletableFuture<T> {

    public static final String WAITS_FOR_ITSELF =
            "a blocking wait on an event loop of this client, as in a function that is attached to a future, would wait"
                    + " for its own thread: use thenCompose with an asynchronous call, or set a completionExecutor";

    private final BooleanSupplier isIoThread;

    protected LoopFuture(BooleanSupplier isIoThread) {
        this.isIoThread = isIoThread;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new LoopFuture<>(isIoThread);
    }

    @Override
    public T join() {
        checkThread();
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        checkThread();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        checkThread();
        return super.get(timeout, unit);
    }

    private void checkThread() {
        if (!isDone() && isIoThread.getAsBoolean()) {
            throw new MemcachedUnsupportedException(WAITS_FOR_ITSELF);
        }
    }
}
