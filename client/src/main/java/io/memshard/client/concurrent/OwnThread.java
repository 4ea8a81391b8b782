// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** A daemon thread that belongs to a client. */
public final class OwnThread extends Thread implements ClientThread {

    /** A thread that runs {@code task}, not started. */
    public OwnThread(Runnable task, String name) {
        super(task, name);
        setDaemon(true);
    }

    /** Makes such threads, named {@code prefix-1} and so on. */
    public static ThreadFactory factory(String prefix) {
        AtomicInteger made = new AtomicInteger();
        return task -> new OwnThread(task, prefix + "-" + made.incrementAndGet());
    }
}
