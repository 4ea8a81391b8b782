// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import io.memshard.bench.command.BenchException;
import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;

/** Virtual threads, which came with Java 21. Threading: stateless. */
public final class VirtualThreads {

    private VirtualThreads() {}

    /** Returns whether this JVM has virtual threads. */
    public static boolean areThere() {
        return Runtime.version().feature() >= 21;
    }

    /**
     * Returns a factory of the threads of callers: virtual threads, or daemon threads with the name {@code caller}.
     *
     * @throws BenchException if {@code areVirtual}, and this JVM has no virtual threads
     */
    public static ThreadFactory callers(boolean areVirtual) {
        return areVirtual
                ? factory()
                : runnable -> {
                    Thread thread = new Thread(runnable, "caller");
                    thread.setDaemon(true);
                    return thread;
                };
    }

    private static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
            return (ThreadFactory) factory.invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new BenchException("virtual threads need Java 21 or later", e);
        }
    }
}
