// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Tries the addresses of a server until one gives a link. An address has its turn 250 ms after the previous one, or as
 * soon as the previous one has failed. So an address that drops packets, or accepts and stays silent, does not block
 * the others. If time is short or addresses are many, turns are shorter: the last begins when half of the time is over.
 *
 * <p>Each address is tried by a thread of its own, {@value #MOST_RUNNING} at a time. When there is a link, the other
 * threads are interrupted, and what they have opened is closed.
 *
 * <p>Source: RFC 8305, "Happy Eyeballs Version 2", section 5.
 *
 * <p>Threading: used once, by one thread.
 */
final class AddressRace {

    /** Maximum number of addresses tried at the same time. */
    static final int MOST_RUNNING = 6;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time after the deadline in which an attempt may still fail with a cause that says more than a time-out. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Opens a link to an address, blocking. */
    @FunctionalInterface
    interface Attempt {

        /**
         * Opens a link to {@code address}.
         *
         * @throws IOException if there is none; no socket is left then
         * @throws InterruptedException if the thread was interrupted; no socket is left then
         */
        Opened open(SocketAddress address) throws IOException, InterruptedException;
    }

    /**
     * A link that an attempt has opened.
     *
     * @param refusedMeta whether the server was found to need classic text just now
     */
    record Opened(SocketAddress address, Link link, boolean refusedMeta) {}

    private record Failure(SocketAddress address, Throwable cause) {}

    private final Attempt attempt;
    private final ExecutorCompletionService<@Nullable Failure> threads;
    private final List<Future<@Nullable Failure>> started = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    /** First link that was opened. Guarded by this. */
    private @Nullable Opened winner;

    /** True once no link is wanted any more. Guarded by this. */
    private boolean over;

    AddressRace(Attempt attempt, Executor threads) {
        this.attempt = attempt;
        this.threads = new ExecutorCompletionService<>(threads);
    }

    /** Returns the number of addresses tried. */
    int tried() {
        return started.size();
    }

    /**
     * Waits for a link to any of the addresses.
     *
     * @param addresses two or more
     * @param deadlineNanos by when the attempts end, in {@link System#nanoTime()}
     * @throws IOException the first failure, with the others suppressed; no socket is left then, or will be
     * @throws InterruptedException if the thread was interrupted; no socket will be left then
     */
    Opened run(List<SocketAddress> addresses, long deadlineNanos) throws IOException, InterruptedException {
        int together = Math.min(addresses.size(), MOST_RUNNING);
        long turnNanos = Math.min(TURN_NANOS, Math.max(0, deadlineNanos - System.nanoTime()) / 2 / together);
        try {
            int next = 0;
            while (true) {
                if (mayStart(next, addresses.size(), deadlineNanos)) {
                    start(addresses.get(next++));
                }
                if (failures.size() == next) {
                    break;
                }
                boolean another = mayStart(next, addresses.size(), deadlineNanos);
                long patience = another ? turnNanos : deadlineNanos + GRACE_NANOS - System.nanoTime();
                Future<@Nullable Failure> ended = threads.poll(patience, TimeUnit.NANOSECONDS);
                Opened opened = ended == null ? null : taken(ended);
                if (opened != null) {
                    return opened;
                }
                if (ended == null && !another) {
                    break;
                }
            }
            throw failure(addresses.size());
        } finally {
            end();
        }
    }

    private boolean mayStart(int next, int addresses, long deadlineNanos) {
        return next < addresses && next - failures.size() < MOST_RUNNING && deadlineNanos - System.nanoTime() > 0;
    }

    private void start(SocketAddress address) {
        started.add(threads.submit(() -> {
            try {
                offer(attempt.open(address));
                return null;
            } catch (Throwable e) {
                return new Failure(address, e);
            }
        }));
    }

    /** Takes a link as the winner, or closes it if another one was first. */
    private void offer(Opened opened) {
        synchronized (this) {
            if (!over && winner == null) {
                winner = opened;
                return;
            }
        }
        opened.link().close();
    }

    /** Returns the link that a task has opened; null if it has failed, which is then recorded. */
    private @Nullable Opened taken(Future<@Nullable Failure> ended) throws InterruptedException {
        Failure failure;
        try {
            failure = ended.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task that catches everything has failed", e);
        }
        if (failure != null) {
            failures.add(failure);
            return null;
        }
        synchronized (this) {
            over = true;
            return winner;
        }
    }

    private void end() {
        synchronized (this) {
            if (!over && winner != null) {
                winner.link().close();
            }
            over = true;
        }
        started.forEach(task -> task.cancel(true));
    }

    /** Returns the failure that says most: the refusal of a server by TLS or authentication, else the first failure. */
    private IOException failure(int addresses) {
        if (failures.isEmpty()) {
            return new SocketTimeoutException("none of " + addresses + " addresses gave a connection in time");
        }
        Failure told = failures.stream()
                .filter(each ->
                        each.cause instanceof SSLException || each.cause instanceof AuthenticationRefusedException)
                .findFirst()
                .orElse(failures.get(0));
        failures.remove(told);
        failures.forEach(other -> told.cause.addSuppressed(other.cause));
        return told.cause instanceof AuthenticationRefusedException refused
                ? refused
                : new IOException(
                        LinkFailure.describe(told.cause) + " (" + told.address + ", one of " + addresses
                                + " addresses)",
                        told.cause);
    }
}
