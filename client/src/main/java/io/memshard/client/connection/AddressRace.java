// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Overlapping attempts to connect to the addresses of a server, until the first link is open. The attempt at the next
 * address begins after 250 ms, or as soon as a running attempt fails. If time is short or addresses are many, the
 * intervals are shorter, so that up to {@value #MOST_RUNNING} attempts begin within the first half of the time.
 *
 * <p>Each attempt runs on its own thread. Once a link is open, the other threads are interrupted, and links that they
 * have opened are closed.
 *
 * <p>Source: RFC 8305, "Happy Eyeballs Version 2", section 5. Threading: used once, by one thread.
 */
final class AddressRace {

    static final int MOST_RUNNING = 6;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time after the deadline in which an attempt may still report a specific cause. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Blocking attempt to open a link to one address. If it throws, no socket stays open. */
    @FunctionalInterface
    interface Attempt {
        Opened open(SocketAddress address) throws IOException, InterruptedException;
    }

    record Opened(SocketAddress address, Link link, boolean refusedMeta) {}

    private record Failure(SocketAddress address, Throwable cause) {}

    private final Attempt attempt;
    private final ExecutorCompletionService<@Nullable Failure> threads;
    private final List<Future<@Nullable Failure>> started = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    /** First opened link. Cancelled if all attempts have failed, so that links opened later are closed. */
    private final CompletableFuture<Opened> winner = new CompletableFuture<>();

    AddressRace(Attempt attempt, Executor threads) {
        this.attempt = attempt;
        this.threads = new ExecutorCompletionService<>(threads);
    }

    int tried() {
        return started.size();
    }

    /**
     * Makes the attempts, and returns the first link that is open. If this method throws, each socket is closed, or
     * closes when its thread ends.
     *
     * @throws IOException the most specific failure, with the others suppressed
     */
    Opened run(List<SocketAddress> addresses, long deadlineNanos) throws IOException, InterruptedException {
        int together = Math.min(addresses.size(), MOST_RUNNING);
        long turnNanos = Math.min(TURN_NANOS, Math.max(0, deadlineNanos - System.nanoTime()) / 2 / together);
        boolean hasWinner = false;
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
                if (ended == null && another) {
                    continue;
                }
                if (ended == null) {
                    break;
                }
                Failure failure = result(ended);
                if (failure == null) {
                    hasWinner = true;
                    return winner.join();
                }
                failures.add(failure);
            }
            throw failure(addresses.size());
        } finally {
            if (!hasWinner && !winner.cancel(false)) {
                winner.join().link().close();
            }
            started.forEach(task -> task.cancel(true));
        }
    }

    private boolean mayStart(int next, int addresses, long deadlineNanos) {
        return next < addresses && next - failures.size() < MOST_RUNNING && deadlineNanos - System.nanoTime() > 0;
    }

    private void start(SocketAddress address) {
        started.add(threads.submit(() -> {
            try {
                Opened opened = attempt.open(address);
                if (!winner.complete(opened)) {
                    opened.link().close();
                }
                return null;
            } catch (Throwable e) {
                return new Failure(address, e);
            }
        }));
    }

    private static @Nullable Failure result(Future<@Nullable Failure> ended) throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task that catches every exception has thrown one", e);
        }
    }

    private IOException failure(int addresses) {
        if (failures.isEmpty()) {
            return new SocketTimeoutException("none of " + addresses + " addresses accepted a connection in time");
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
