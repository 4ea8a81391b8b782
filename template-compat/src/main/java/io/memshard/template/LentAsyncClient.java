// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncItemOperations;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous client of an engine that does not take Memshard's commands. Each call gets a connection and releases it
 * once the command is sent. Operations that the engine lacks are refused.
 *
 * <p>Threading: thread-safe, immutable.
 */
record LentAsyncClient<V>(EngineConnectionFactory factory, EngineConnectionFactory.Use<AsyncItemOperations<V>> open)
        implements InvocationHandler {

    static <V> AsyncMemcachedClient<V> over(EngineConnectionFactory factory, Transcoder<V> transcoder) {
        return proxy(
                new LentAsyncClient<>(factory, (connections, index) -> connections.asyncConnection(index, transcoder)));
    }

    /** Returns a client whose calls {@code handler} runs, so that no method has to be written out. */
    @SuppressWarnings("unchecked") // Proxies have no type arguments.
    static <V> AsyncMemcachedClient<V> proxy(InvocationHandler handler) {
        return (AsyncMemcachedClient<V>) Proxy.newProxyInstance(
                LentAsyncClient.class.getClassLoader(), new Class<?>[] {AsyncMemcachedClient.class}, handler);
    }

    /** Calls a method of {@link AsyncMemcachedClient} on a client, which may be narrower. */
    static Object call(AsyncItemOperations<?> client, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return operation(client instanceof AsyncMemcachedClient, method).invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static Method operation(boolean isOfMemshard, Method method) {
        try {
            return isOfMemshard
                    ? method
                    : AsyncItemOperations.class.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new MemcachedUnsupportedException("the engine has no " + method.getName() + ": use engine MEMSHARD");
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, arguments);
        }
        Method operation = operation(false, method);
        if (operation.getReturnType() != CompletableFuture.class) {
            return view(operation, arguments);
        }
        try {
            return factory.lend((connections, index) -> called(open.of(connections, index), operation, arguments));
        } catch (MemcachedUnsupportedException e) {
            throw e;
        } catch (MemcachedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("unchecked") // A view is a client.
    private AsyncMemcachedClient<Object> view(Method operation, Object @Nullable [] arguments) {
        if (arguments != null && arguments[0] instanceof Duration timeout) {
            ConnectionOptions.checkTimeout("timeout", timeout);
        }
        return proxy(new LentAsyncClient<>(factory, (connections, index) ->
                (AsyncItemOperations<Object>) called(open.of(connections, index), operation, arguments)));
    }

    private static Object called(AsyncItemOperations<?> client, Method operation, Object @Nullable [] arguments) {
        try {
            return call(client, operation, arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
