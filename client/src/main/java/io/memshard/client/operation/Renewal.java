// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes the place that a caller has won last as long as its load. Three times in each {@code claimTtl} it stores the
 * place anew, until the load ends or {@code maxLoad} is over.
 *
 * <p>Each renewal is a set by the cas unique of the one before, so it changes nothing but the caller's own place. What
 * others have stored or deleted meanwhile stays, and ends the renewals. A process that dies renews nothing, so its
 * place is gone after {@code claimTtl}.
 *
 * <p>A renewal gives the place another cas unique. So {@link #stop} waits for one that is under way, and the value is
 * then stored by the last cas unique that the server has told. If the reply to a renewal is lost, that cas unique may
 * be an old one. Then the value is not stored, and the place goes after {@code claimTtl}.
 *
 * <p>Threading: thread-safe. It waits on the timer of the client, and holds no thread. It refers to no value, because
 * the timer keeps it for a while after the load.
 */
final class Renewal {

    private final AsyncSenderMetaClient<?> client;
    private final LoadPlan<?> plan;
    private final long startNanos = System.nanoTime();

    /** Written by the one renewal under way, and read by all. */
    private volatile long casUnique;

    /** The renewal under way, or the last one. Guarded by this. */
    private CompletableFuture<@Nullable Void> running = CompletableFuture.completedFuture(null);

    /** Guarded by this. */
    private boolean isOver;

    /** Creates the renewal of a placeholder that was won with this cas unique. */
    Renewal(AsyncSenderMetaClient<?> client, LoadPlan<?> plan, long casUnique) {
        this.client = client;
        this.plan = plan;
        this.casUnique = casUnique;
    }

    /** Returns the cas unique of the placeholder, as last reported by the server. */
    long casUnique() {
        return casUnique;
    }

    /** Renews the placeholder after a while, and then again. If the client has no timer, the placeholder expires. */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the renewals but stop().
    void later() {
        long asleepNanos = System.nanoTime();
        try {
            client.calls().sender().pause(plan.renewalNanos()).thenRun(() -> {
                // The timer of a closed client ends each pause at once.
                if (System.nanoTime() - asleepNanos >= plan.renewalNanos() / 2) {
                    renew();
                }
            });
        } catch (RuntimeException e) {
            // Without renewals another caller may load as well, and nothing else.
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its end is that of the renewal.
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

    /**
     * Schedules the next renewal after a success or a failure. After a refusal, the placeholder belongs to another
     * caller.
     */
    private void renewed(@Nullable WriteResult result) {
        if (result == null) {
            later();
        } else if (result.status() == WriteStatus.DONE) {
            casUnique = result.casUnique();
            later();
        }
    }

    /** Ends the renewals, and waits for none. */
    synchronized void end() {
        isOver = true;
    }

    /** Ends the renewals. The future has the cas unique to store by; it is complete unless a renewal is under way. */
    CompletableFuture<Long> stop() {
        CompletableFuture<@Nullable Void> last;
        synchronized (this) {
            isOver = true;
            last = running;
        }
        return last.thenApply(nothing -> casUnique);
    }
}
