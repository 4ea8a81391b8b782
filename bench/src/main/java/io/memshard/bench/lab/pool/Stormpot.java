// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stormpot 3 and 4, as a pool under test and as single calls. Stormpot looks in a slot of the calling thread first,
 * then in a queue.
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

    /** Opens a pool under test. */
    static Pool<Object> open(int max, PoolArm.Items items) throws ReflectiveOperationException {
        Object pool = of(items.make(max).toArray());
        return Pool.of(
                () -> claim(pool), claimed -> (PoolArm.Item) object(claimed), Stormpot::release, () -> close(pool));
    }

    /** Opens a fixed pool of existing objects. No thread creates them, and they do not expire. */
    static Object of(Object... objects) throws ReflectiveOperationException {
        Method of = Class.forName("stormpot.Pool").getMethod("of", Object[].class);
        return of.invoke(null, (Object) objects);
    }

    /** Takes an object out of {@code pool}; waits 30 seconds at most, then fails. */
    static Object claim(Object pool) throws Exception {
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

    /** Returns the pooled object in {@code claimed}. */
    static Object object(Object claimed) {
        try {
            return (Object) OBJECT.invokeExact(claimed);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts back a claimed object. */
    static void release(Object claimed) {
        try {
            RELEASE.invokeExact(claimed);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closes {@code pool}. */
    static void close(Object pool) throws ReflectiveOperationException {
        Class.forName("stormpot.Pool").getMethod("shutdown").invoke(pool);
    }
}
