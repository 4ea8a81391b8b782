// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.contract;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.MetaClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** An asynchronous client behind the blocking face, so that one contract serves both. */
public final class AsyncAsBlocking implements InvocationHandler {

    private static final int LONGEST_SECONDS = 60;

    private final Class<?> asyncFace;
    private final Object async;

    private AsyncAsBlocking(Class<?> asyncFace, Object async) {
        this.asyncFace = asyncFace;
        this.async = async;
    }

    @SuppressWarnings("unchecked")
    public static <V> MemcachedClient<V> of(AsyncMemcachedClient<V> async) {
        return of(MemcachedClient.class, AsyncMemcachedClient.class, async);
    }

    /** Returns {@code async}, of which the methods of {@code asyncFace} are called, as {@code face}. */
    static <T, A> T of(Class<T> face, Class<A> asyncFace, A async) {
        InvocationHandler calls = new AsyncAsBlocking(asyncFace, async);
        return face.cast(Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, calls));
    }

    @Override
    public Object invoke(Object blocking, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("async")) {
            return async;
        }
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, args);
        }
        Class<?>[] types = Arrays.stream(method.getParameterTypes())
                .map(type -> type == ValueLoader.class ? Function.class : type)
                .toArray(Class<?>[]::new);
        Object[] own = args == null ? new Object[0] : args.clone();
        Arrays.setAll(own, i -> own[i] instanceof ValueLoader<?, ?> loader ? onItsOwnThread(loader) : own[i]);
        try {
            return blocking(asyncFace.getMethod(method.getName(), types).invoke(async, own));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object blocking(Object result) {
        if (result instanceof AsyncMemcachedClient<?> client) {
            return of(client);
        }
        if (result instanceof AsyncMetaClient<?> meta) {
            return of(MetaClient.class, AsyncMetaClient.class, meta);
        }
        return joined((CompletableFuture<?>) result);
    }

    private static Object joined(CompletableFuture<?> future) {
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemcachedException || e.getCause() instanceof IllegalStateException) {
                throw (RuntimeException) e.getCause();
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the future hangs", e);
        }
    }

    /** A loader that blocks has a thread of its own. */
    private static <K, T> Function<K, CompletableFuture<T>> onItsOwnThread(ValueLoader<K, T> loader) {
        return key -> {
            CompletableFuture<T> loading = new CompletableFuture<>();
            new Thread(() -> {
                        try {
                            loading.complete(loader.load(key));
                        } catch (Throwable e) {
                            loading.completeExceptionally(e);
                        }
                    })
                    .start();
            return loading;
        };
    }
}
