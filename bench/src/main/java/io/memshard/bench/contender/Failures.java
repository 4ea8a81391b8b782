// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.client.exception.MemcachedTimeoutException;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.OperationTimeoutException;
import org.jspecify.annotations.Nullable;

/** Tells apart what contenders throw. Threading: stateless. */
public final class Failures {

    private Failures() {}

    /**
     * Whether {@code failure}, or anything it was caused by, is a wait that ended too late: for a reply,
     * or for a client of the pool, which then throws {@link NoSuchElementException}.
     */
    public static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = causeOf(cause)) {
            if (cause instanceof TimeoutException
                    || cause instanceof OperationTimeoutException
                    || isOfMemshard(cause)
                    || cause instanceof NoSuchElementException
                    || cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** By its name, because a build that was loaded apart has classes of its own. */
    private static boolean isOfMemshard(Throwable failure) {
        return failure.getClass().getSimpleName().equals(MemcachedTimeoutException.class.getSimpleName());
    }

    private static @Nullable Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == failure ? null : cause;
    }
}
