// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.operation.CasLoop;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.spymemcached.SpymemcachedClient;
import io.memshard.template.spymemcached.SpymemcachedConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Client of engine spymemcached that borrows a connection for each call. */
record LentClient(Lender lender, boolean hidesKeys, boolean isBlocking, EngineConnectionFactory.Use<Object> open)
        implements InvocationHandler {

    @SuppressWarnings("unchecked") // Proxies have no type arguments.
    static <V> MemcachedClient<V> over(Lender lender, Transcoder<V> transcoder, boolean hidesKeys) {
        return (MemcachedClient<V>) proxy(
                MemcachedClient.class,
                new LentClient(
                        lender,
                        hidesKeys,
                        true,
                        (connections, index) -> ((SpymemcachedConnections) connections)
                                .client(index)
                                .withTranscoder(transcoder)));
    }

    static <C> C proxy(Class<C> api, InvocationHandler handler) {
        return api.cast(Proxy.newProxyInstance(LentClient.class.getClassLoader(), new Class<?>[] {api}, handler));
    }

    static Object call(Object client, Method operation, Object @Nullable [] arguments) {
        try {
            return operation.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getTargetException(); // Clients throw no checked exceptions.
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, arguments);
        }
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        if (isBlocking && method.getName().equals("async")) {
            return proxy(AsyncMemcachedClient.class, new LentClient(lender, hidesKeys, false, open));
        }
        if (isBlocking && method.getName().equals("update") && arguments != null) {
            return update((MemcachedClient<?>) proxy, arguments);
        }
        Method operation = operation(method);
        if (operation.getReturnType() == SpymemcachedClient.class) {
            if (arguments != null && arguments[0] instanceof Duration timeout) {
                Timeouts.check("timeout", timeout);
            }
            Class<?> api = isBlocking ? MemcachedClient.class : AsyncMemcachedClient.class;
            return proxy(
                    api,
                    new LentClient(
                            lender,
                            hidesKeys,
                            isBlocking,
                            (connections, index) -> call(open.of(connections, index), operation, arguments)));
        }
        try {
            return lender.lend((connections, index) -> {
                Object sent = call(open.of(connections, index), operation, arguments);
                return isBlocking ? SpymemcachedConnection.await((CompletableFuture<?>) sent) : sent;
            });
        } catch (MemcachedException e) {
            if (isBlocking || e instanceof MemcachedUnsupportedException) {
                throw e;
            }
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Method operation(Method method) {
        try {
            return SpymemcachedClient.class.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new MemcachedUnsupportedException(
                    "engine SPYMEMCACHED does not support " + method.getName() + ": use engine MEMSHARD");
        }
    }

    @SuppressWarnings("unchecked") // The arguments are those of MemcachedClient.update.
    private <V> @Nullable Object update(MemcachedClient<V> client, @Nullable Object[] arguments) {
        String key = (String) arguments[0];
        Duration ttl = (Duration) arguments[1];
        return Futures.result(new CasLoop<>(
                        key,
                        hidesKeys,
                        (Function<? super @Nullable V, ? extends @Nullable V>) arguments[2],
                        true,
                        () -> CompletableFuture.completedFuture(client.gets(key)),
                        (read, changed) -> CompletableFuture.completedFuture(
                                read == null
                                        ? client.add(key, changed, ttl)
                                        : client.cas(key, changed, read.casUnique(), ttl) == WriteStatus.DONE))
                .start());
    }
}
