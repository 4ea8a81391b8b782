// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon thread of a client. It inherits neither thread locals nor the context class loader of its creator. */
public final class DaemonThread extends Thread implements ClientThread {

    public DaemonThread(Runnable task, String name) {
        super(null, task, name, 0, false);
        prepare(this);
    }

    public static Thread outsideClients(Runnable task, String name) {
        return prepare(new Thread(null, task, name, 0, false));
    }

    private static Thread prepare(Thread thread) {
        thread.setDaemon(true);
        thread.setContextClassLoader(DaemonThread.class.getClassLoader());
        return thread;
    }

    public static ThreadFactory factory(String prefix) {
        AtomicInteger made = new AtomicInteger();
        return task -> new DaemonThread(task, prefix + "-" + made.incrementAndGet());
    }

    public static ThreadPoolExecutor single(String prefix, int maxWaiting, long idleSeconds) {
        return new ThreadPoolExecutor(
                0, 1, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(maxWaiting), factory(prefix));
    }
}
