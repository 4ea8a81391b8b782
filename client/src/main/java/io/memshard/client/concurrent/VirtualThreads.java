// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Check whether a thread is virtual, by reflection, because JDK 17 has no virtual threads. */
public final class VirtualThreads {

    private static final MethodHandle IS_VIRTUAL = isVirtualHandle();

    private VirtualThreads() {}

    private static MethodHandle isVirtualHandle() {
        MethodType type = MethodType.methodType(boolean.class);
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }

    public static boolean isCurrent() {
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new LinkageError("Thread.isVirtual failed", e);
        }
    }
}
