// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import java.util.concurrent.TimeUnit;

/**
 * Failures of a server in a row, and how long it has failed and answered since the first of them.
 *
 * <p>The row ends when the server has answered for as long as it had failed. One reply need not be enough: a server may
 * answer the first command of each connection and no other, or each twentieth.
 *
 * <h2>How time is measured</h2>
 *
 * <p>Time is cut at replies, failures and time-outs. A piece that ends with a reply is one in which the server
 * answered; a piece that ends with a failure or a time-out is one in which it failed. So idle time before a reply
 * counts for the server, and idle time after the last event counts for nobody. A piece before a time-out begins no
 * earlier than its command was sent. A piece before a lost connection is at most {@link #LONGEST_NANOS} long, because
 * its commands were sent nobody knows when. Time without any connection counts against the server.
 *
 * <p>Why a server that works is safe: the first reply after an idle time, or some ticks with replies under load, end
 * the row. Why one that hardly answers is not: its replies end short pieces, because callers wait most of the time, and
 * each of their time-outs ends a long one.
 *
 * <p>Threading: confined to the timer.
 */
final class FailureRow {

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private int failures;
    private long failedNanos;
    private long answeredNanos;

    /** The end of the last piece. */
    private long cutNanos;

    /** Ends the row. */
    void clear(long nowNanos) {
        failures = 0;
        failedNanos = 0;
        answeredNanos = 0;
        cutNanos = nowNanos;
    }

    /** Leaves out the time since the last piece. */
    void skip(long nowNanos) {
        cutNanos = nowNanos;
    }

    /** The server has answered, on any connection. Returns the length of the piece that ends with that. */
    long answered(long nowNanos) {
        long piece = nowNanos - cutNanos;
        answeredNanos += piece;
        cutNanos = nowNanos;
        if (answeredNanos >= failedNanos) {
            clear(nowNanos);
        }
        return piece;
    }

    /** Counts a failure. */
    void count() {
        failures++;
    }

    /** A connection was lost or could not be opened: ends a piece in which the server failed. */
    void lost(long nowNanos) {
        unanswered(nowNanos - LONGEST_NANOS, nowNanos);
    }

    /** Ends a piece in which the server failed, and which begins no earlier than {@code sinceNanos}. */
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

    /** For how long the server has failed in this row. */
    long failedNanos() {
        return failedNanos;
    }
}
