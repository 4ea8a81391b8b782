// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import java.util.concurrent.TimeUnit;

/**
 * Row of a server's consecutive failures. Threading: confined to the timer.
 *
 * <p>The row ends when the server has answered for as long as it has failed. A single reply does not end the row,
 * because a failing server may answer the first command of each connection. The time before a reply counts as answered,
 * and all other time as failed.
 */
final class FailureRow {

    /** Longest time that counts as failed at a lost connection, because the time of sending is unknown. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private int failures;
    private long failedNanos;
    private long answeredNanos;
    private long answered;
    private long timedOut;
    private long cutNanos;

    void clear(long nowNanos) {
        failures = 0;
        failedNanos = 0;
        answeredNanos = 0;
        answered = 0;
        timedOut = 0;
        cutNanos = nowNanos;
    }

    void skip(long nowNanos) {
        cutNanos = nowNanos;
    }

    long answered(long nowNanos) {
        long interval = nowNanos - cutNanos;
        answeredNanos += interval;
        cutNanos = nowNanos;
        if (answeredNanos >= failedNanos) {
            clear(nowNanos);
        }
        return interval;
    }

    void add(long answeredNow, long timedOutNow) {
        answered += answeredNow;
        timedOut += timedOutNow;
    }

    boolean isMostlyTimedOut() {
        return timedOut > answered;
    }

    void count() {
        failures++;
    }

    void lost(long nowNanos) {
        unanswered(nowNanos - LONGEST_NANOS, nowNanos);
    }

    void unanswered(long sinceNanos, long nowNanos) {
        long begin = cutNanos - sinceNanos > 0 ? cutNanos : sinceNanos;
        if (nowNanos - begin > 0) {
            failedNanos += failures == 0 ? 0 : nowNanos - begin;
            cutNanos = nowNanos;
        }
    }

    int failures() {
        return failures;
    }

    long failedNanos() {
        return failedNanos;
    }
}
