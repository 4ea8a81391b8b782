// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientThread;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;

/** Creates the daemon threads of event loops, named {@code memshard-io-*}. Threading: thread-safe. */
final class EventLoopThreads extends DefaultThreadFactory {

    EventLoopThreads() {
        super("memshard-io", true);
    }

    @Override
    protected Thread newThread(Runnable task, String name) {
        return new EventLoopThread(threadGroup, task, name);
    }

    /** Thread with Netty's fast thread locals, which event loops use. */
    private static final class EventLoopThread extends FastThreadLocalThread implements ClientThread {

        EventLoopThread(ThreadGroup group, Runnable task, String name) {
            super(group, task, name);
        }
    }
}
