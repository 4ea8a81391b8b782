// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaRelease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Claims on stale items, which a connection gives back after a delay. The number of waiting claims is limited, because
 * the server decides how many it hands out. A claim beyond the limit is not given back: callers get the stale item
 * until it expires.
 *
 * <p>Threading: thread-safe.
 */
final class WaitingReleases {

    /** Maximum number of waiting claims. Only a server that turns every read into a claim causes more. */
    static final int MAX = 1024;

    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Gives back the claims of one reply.
     *
     * @param pauses the function that returns a future, which completes after the given number of nanoseconds
     */
    @SuppressWarnings("FutureReturnValueIgnored") // No thread waits for the end.
    void release(
            List<MetaRelease> claims,
            LongFunction<CompletableFuture<@Nullable Void>> pauses,
            Consumer<Command<?>> sender) {
        int room = Math.min(claims.size(), MAX - waiting.getAndAdd(claims.size()));
        waiting.addAndGet(Math.max(0, room) - claims.size());
        if (room <= 0) {
            return;
        }
        List<MetaRelease> taken = claims.subList(0, room);
        boolean pausing = false;
        try {
            pauses.apply(claims.get(0).delayNanos()).thenRun(() -> {
                waiting.addAndGet(-room);
                taken.forEach(sender);
            });
            pausing = true;
        } finally {
            if (!pausing) {
                waiting.addAndGet(-room);
            }
        }
    }

    int count() {
        return waiting.get();
    }
}
