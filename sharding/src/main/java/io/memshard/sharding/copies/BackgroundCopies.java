// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.sender.CommandSender;
import io.memshard.sharding.copies.ItemCopier.Result;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Copies that run without a waiting caller. Each key has at most one copy in progress. A copy beyond the limit is
 * skipped. A later read that finds the item at its source retries the copy.
 *
 * <p>Threading: thread-safe.
 */
public final class BackgroundCopies {

    private final ItemCopier copier;
    private final int maxAtATime;
    private final AtomicInteger running = new AtomicInteger();
    private final Set<ItemKey> keys = ConcurrentHashMap.newKeySet();

    public BackgroundCopies(ItemCopier copier, int maxAtATime) {
        this.copier = copier;
        this.maxAtATime = maxAtATime;
    }

    public int running() {
        return running.get();
    }

    /**
     * Starts a copy, unless the limit is reached or the key is already being copied. The receivers of the result or the
     * failure are called on a thread that completes futures.
     */
    public void start(
            ItemKey key,
            CommandSender from,
            CommandSender to,
            Deadline deadline,
            Consumer<Result> copied,
            Consumer<? super Throwable> failed) {
        if (running.incrementAndGet() > maxAtATime || !keys.add(key)) {
            running.decrementAndGet();
            return;
        }
        Runnable over = () -> {
            keys.remove(key);
            running.decrementAndGet();
        };
        try {
            Futures.atEnd(
                    copier.copy(key, from, to, deadline),
                    (result, thrown) -> {
                        over.run();
                        if (thrown == null) {
                            copied.accept(result);
                        } else {
                            failed.accept(Futures.cause(thrown));
                        }
                    },
                    failed);
        } catch (Throwable e) {
            over.run();
            failed.accept(e);
        }
    }
}
