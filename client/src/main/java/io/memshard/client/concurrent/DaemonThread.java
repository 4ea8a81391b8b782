// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon thread that belongs to a client. */
public final class DaemonThread extends Thread implements ClientThread {

    /** Creates a thread that will run {@code task}; does not start it. */
    public DaemonThread(Runnable task, String name) {
        super(task, name);
        setDaemon(true);
    }

    /** Returns a factory of such threads, named {@code prefix-1} and so on. */
    public static ThreadFactory factory(String prefix) {
        AtomicInteger made = new AtomicInteger();
        return task -> new DaemonThread(task, prefix + "-" + made.incrementAndGet());
    }
}
