// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Blocking client that calls an asynchronous one and waits for the future, which only fails as a call may. */
record AsyncAsBlocking(AsyncMemcachedClient<?> async) implements InvocationHandler {

    @SuppressWarnings("unchecked") // Proxies have no type arguments.
    static <V> MemcachedClient<V> of(AsyncMemcachedClient<?> async) {
        return (MemcachedClient<V>) Proxy.newProxyInstance(
                AsyncAsBlocking.class.getClassLoader(),
                new Class<?>[] {MemcachedClient.class},
                new AsyncAsBlocking(async));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object result;
        try {
            result = AsyncMemcachedClient.class
                    .getMethod(method.getName(), method.getParameterTypes())
                    .invoke(async, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
        if (!(result instanceof CompletableFuture<?> future)) {
            return of((AsyncMemcachedClient<?>) result);
        }
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof MemcachedException failure ? failure : new AssertionError(e.getCause());
        }
    }
}
