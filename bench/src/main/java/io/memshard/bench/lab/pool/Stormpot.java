// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stormpot 3 and 4. Stormpot looks in a slot of the calling thread first, then in a queue.
 *
 * <p>Version 4 is compiled for Java 21 and turned classes into interfaces, so no source code compiles with both on Java
 * 17. The calls go through constant method handles, which the JIT compiles like direct calls.
 *
 * <p>Threading: thread-safe. The library is loaded when this class is first used.
 */
final class Stormpot {

    private static final MethodHandle CLAIM;
    private static final MethodHandle RELEASE;
    private static final MethodHandle OBJECT;
    private static final Object TIMEOUT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> timeout = Class.forName("stormpot.Timeout");
            TIMEOUT = timeout.getConstructor(long.class, TimeUnit.class).newInstance(30L, TimeUnit.SECONDS);
            Method claim = Class.forName("stormpot.PoolTap").getMethod("claim", timeout);
            CLAIM = lookup.unreflect(claim).asType(MethodType.methodType(Object.class, Object.class, Object.class));
            RELEASE = lookup.unreflect(Class.forName("stormpot.Poolable").getMethod("release"))
                    .asType(MethodType.methodType(void.class, Object.class));
            OBJECT = lookup.unreflectGetter(Class.forName("stormpot.Pooled").getField("object"))
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Stormpot() {}

    /** Opens a fixed pool of existing items. No thread makes them, and they do not expire. */
    static Pool<Object> open(int max, PoolArm.Items items) throws ReflectiveOperationException {
        Method of = Class.forName("stormpot.Pool").getMethod("of", Object[].class);
        Object pool = of.invoke(null, (Object) items.make(max).toArray());
        Method shutdown = Class.forName("stormpot.Pool").getMethod("shutdown");
        return Pool.of(
                () -> claim(pool),
                claimed -> (PoolArm.Item) object(claimed),
                Stormpot::release,
                () -> shutdown.invoke(pool));
    }

    private static Object claim(Object pool) throws Exception {
        @Nullable Object claimed;
        try {
            claimed = (Object) CLAIM.invokeExact(pool, TIMEOUT);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (claimed == null) {
            throw new IllegalStateException("the pool had no free item within 30 s");
        }
        return claimed;
    }

    private static Object object(Object claimed) {
        try {
            return (Object) OBJECT.invokeExact(claimed);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void release(Object claimed) {
        try {
            RELEASE.invokeExact(claimed);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
