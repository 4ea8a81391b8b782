// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Renewal of the placeholder that a caller has won, so that the placeholder lasts until the load ends. The placeholder
 * is stored again three times in each {@code claimTtl}, until the load ends or {@code maxLoad} has passed.
 *
 * <p>Each renewal is a set with the cas unique of the previous one, so it changes only the caller's own placeholder. If
 * another caller has stored or deleted the item, that change is kept, and the renewals end. A process that dies renews
 * nothing, so its placeholder expires after {@code claimTtl}.
 *
 * <p>{@link #stop} waits for a renewal in progress, because the renewal changes the cas unique with which the value is
 * stored. If the reply to a renewal was lost, the known cas unique may be out of date. Then the value is not stored,
 * and the placeholder expires after {@code claimTtl}.
 *
 * <p>Threading: thread-safe. The client's timer starts the renewals, so no thread waits for them. A renewal has no
 * reference to the value, because the timer may keep the renewal for a while after the load.
 */
final class Renewal {

    private final AsyncSenderMetaClient<?> client;
    private final LoadPlan<?> plan;
    private final long startNanos = System.nanoTime();

    /** Last cas unique that the server reported. Written by the renewal in progress, and read by any thread. */
    private volatile long casUnique;

    /** Renewal in progress, or the last one. Guarded by this object. */
    private CompletableFuture<@Nullable Void> running = CompletableFuture.completedFuture(null);

    /** True after the renewals have ended. Guarded by this object. */
    private boolean isOver;

    Renewal(AsyncSenderMetaClient<?> client, LoadPlan<?> plan, long casUnique) {
        this.client = client;
        this.plan = plan;
        this.casUnique = casUnique;
    }

    long casUnique() {
        return casUnique;
    }

    /** Schedules the next renewal. If the client has no timer, the placeholder expires. */
    @SuppressWarnings("FutureReturnValueIgnored") // Only stop() waits for a renewal.
    void later() {
        long asleepNanos = System.nanoTime();
        try {
            client.calls().sender().pause(plan.renewalNanos()).thenRun(() -> {
                // The timer of a closed client ends each pause immediately.
                if (System.nanoTime() - asleepNanos >= plan.renewalNanos() / 2) {
                    renew();
                }
            });
        } catch (RuntimeException e) {
            // The only effect of missing renewals is that another caller may load too.
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its handler ends the renewal.
    private void renew() {
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        synchronized (this) {
            if (isOver || System.nanoTime() - startNanos > plan.maxLoadNanos()) {
                return;
            }
            running = ended;
        }
        try {
            client.store(plan.hold(casUnique)).handle((result, thrown) -> {
                try {
                    renewed(result);
                } finally {
                    ended.complete(null);
                }
                return ended;
            });
        } catch (Throwable e) {
            ended.complete(null);
            throw e;
        }
    }

    /** Schedules the next renewal. After a refusal the placeholder belongs to another caller, and the renewals end. */
    private void renewed(@Nullable WriteResult result) {
        if (result == null) {
            later();
        } else if (result.status() == WriteStatus.DONE) {
            casUnique = result.casUnique();
            later();
        }
    }

    synchronized void end() {
        isOver = true;
    }

    /**
     * Ends the renewals. Returns a future of the cas unique with which to store the value. The future completes when no
     * renewal is in progress.
     */
    CompletableFuture<Long> stop() {
        CompletableFuture<@Nullable Void> last;
        synchronized (this) {
            isOver = true;
            last = running;
        }
        return last.thenApply(nothing -> casUnique);
    }
}
