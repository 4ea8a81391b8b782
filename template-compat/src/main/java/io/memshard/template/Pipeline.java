// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Client that {@link MemcachedOperations#executePipelined} passes to its callback. Records the future of each call. */
record Pipeline(AsyncMemcachedClient<?> client, Sent sent) implements InvocationHandler {

    private static final int WINDOW = 256;

    static final class Sent {

        private final Thread caller = Thread.currentThread();
        private final List<CompletableFuture<?>> futures = Collections.synchronizedList(new ArrayList<>());

        /** Number of futures that the caller has awaited; only the caller uses this field. */
        private int completed;

        /** Blocks the caller while 256 calls are in flight. Other threads, which may complete futures, do not block. */
        void awaitWindow() {
            while (Thread.currentThread() == caller && futures.size() - completed >= WINDOW) {
                await(futures.get(completed++));
            }
        }

        static void await(CompletableFuture<?> future) {
            try {
                future.get();
            } catch (ExecutionException e) {
                // Rethrown once all calls have completed.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MemcachedInterruptedException("interrupted while waiting in executePipelined", null, e);
            }
        }
    }

    static <V> List<@Nullable Object> run(
            AsyncMemcachedClient<V> client, Consumer<? super AsyncMemcachedClient<V>> calls) {
        Sent sent = new Sent();
        calls.accept(proxy(new Pipeline(client, sent)));
        CompletableFuture<?>[] all = sent.futures.toArray(CompletableFuture<?>[]::new);
        for (CompletableFuture<?> each : all) {
            Sent.await(each);
        }
        List<@Nullable Object> results = new ArrayList<>(all.length);
        for (CompletableFuture<?> each : all) {
            results.add(Futures.result(each));
        }
        return Collections.unmodifiableList(results);
    }

    @SuppressWarnings("unchecked") // Proxies have no type arguments.
    private static <V> AsyncMemcachedClient<V> proxy(Pipeline pipeline) {
        return (AsyncMemcachedClient<V>) LentClient.proxy(AsyncMemcachedClient.class, pipeline);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, arguments);
        }
        if (method.getName().equals("meta")) {
            throw new MemcachedUnsupportedException(
                    "executePipelined does not support meta commands: send meta commands by async().meta()");
        }
        if (method.getReturnType() != CompletableFuture.class) {
            return proxy(new Pipeline((AsyncMemcachedClient<?>) LentClient.call(client, method, arguments), sent));
        }
        sent.awaitWindow();
        CompletableFuture<?> future = (CompletableFuture<?>) LentClient.call(client, method, arguments);
        sent.futures.add(future);
        return future;
    }
}
