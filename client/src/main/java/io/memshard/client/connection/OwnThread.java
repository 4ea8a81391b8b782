package io.memshard.client.connection;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that belongs to a client, and may run what depends on its futures. Who closes a client on such a
 * thread waits for none: it might be the thread itself, or another that waits for this one.
 */
final class OwnThread extends FastThreadLocalThread {

    OwnThread(Runnable task, String name) {
        this(null, task, name);
        setDaemon(true);
    }

    @SuppressWarnings("NullAway") // The group of a thread may be null: it is that of its maker then.
    private OwnThread(@Nullable ThreadGroup group, Runnable task, String name) {
        super(group, task, name);
    }

    /** Whether the calling thread is one, of any client. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof OwnThread;
    }

    /** Makes such threads, named {@code prefix-*}. */
    static ThreadFactory factory(String prefix) {
        return new DefaultThreadFactory(prefix, true) {
            @Override
            protected Thread newThread(Runnable task, String name) {
                return new OwnThread(threadGroup, task, name);
            }
        };
    }
}
