// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.options.ServerAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of a server, and the one in use. While a link of the client is open, further links go to the same address,
 * because each address may be a different server. Otherwise the address that worked last comes first. The attempt at
 * the next address begins after 250 ms, or as soon as a running attempt fails; with many addresses earlier, so that all
 * attempts begin within the first half of the time.
 *
 * <p>Source: RFC 8305, "Happy Eyeballs Version 2", section 5. Threading: thread-safe.
 */
final class Addresses {

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Time after the deadline in which an attempt may still report a specific cause. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Resolver of a server's addresses. Returns the preferred ones first, and may block. */
    @FunctionalInterface
    interface Resolver {
        List<SocketAddress> resolve(ServerAddress server) throws IOException;
    }

    /** Blocking attempt to open a link to one address. If it throws, no socket stays open. */
    @FunctionalInterface
    interface Attempt {
        Link open(SocketAddress address) throws IOException, InterruptedException;
    }

    private record Opened(SocketAddress address, Link link) {}

    private record Failure(SocketAddress address, Throwable cause) {}

    private @Nullable SocketAddress used;

    /** Links to {@link #used}. */
    private final List<Link> links = new ArrayList<>();

    static List<SocketAddress> ofSystem(ServerAddress server) throws IOException {
        if (server.isUnixSocket()) {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(server.host());
            if (!Files.exists(address.getPath())) {
                throw new FileNotFoundException("the socket file does not exist");
            }
            return List.of(address);
        }
        return Stream.of(InetAddress.getAllByName(server.host()))
                .<SocketAddress>map(address -> new InetSocketAddress(address, server.port()))
                .distinct()
                .toList();
    }

    /** Returns whether one family has several of the addresses, which may then be different servers. */
    static boolean maySplit(List<SocketAddress> resolved) {
        long ipv6 = resolved.stream()
                .filter(each -> each instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet6Address)
                .count();
        return ipv6 > 1 || resolved.size() - ipv6 > 1;
    }

    /**
     * Opens a link. If this method throws, each socket is closed, or closes when its thread ends.
     *
     * @throws IOException the most specific failure, with the others suppressed
     */
    Link open(List<SocketAddress> resolved, Attempt attempt, long deadlineNanos)
            throws IOException, InterruptedException {
        while (true) {
            List<SocketAddress> ordered = ordered(resolved);
            Opened opened;
            try {
                opened = ordered.size() == 1
                        ? new Opened(ordered.get(0), attempt.open(ordered.get(0)))
                        : race(ordered, attempt, deadlineNanos);
            } catch (Throwable e) {
                leaveUnless(resolved);
                throw e;
            }
            if (uses(opened)) {
                return opened.link;
            }
            opened.link.close();
        }
    }

    private synchronized List<SocketAddress> ordered(List<SocketAddress> resolved) {
        links.removeIf(link -> !link.isAlive());
        if (used != null && !links.isEmpty()) {
            // Even if the name no longer resolves to this address: some name servers return only a part of the
            // addresses.
            return List.of(used);
        }
        List<SocketAddress> ordered = new ArrayList<>(resolved);
        if (used != null && ordered.remove(used)) {
            ordered.add(0, used);
        }
        return ordered;
    }

    /** Records an opened link. Returns false if links to another address are open. */
    private synchronized boolean uses(Opened opened) {
        links.removeIf(link -> !link.isAlive());
        if (links.isEmpty()) {
            used = opened.address;
        }
        boolean isUsed = opened.address.equals(used);
        if (isUsed) {
            links.add(opened.link);
        }
        return isUsed;
    }

    /** Allows other addresses after a failure, if the name no longer resolves to the one in use. */
    private synchronized void leaveUnless(List<SocketAddress> resolved) {
        if (used != null && !resolved.contains(used)) {
            links.clear();
        }
    }

    private static Opened race(List<SocketAddress> addresses, Attempt attempt, long deadlineNanos)
            throws IOException, InterruptedException {
        long turnNanos = Math.min(TURN_NANOS, (deadlineNanos - System.nanoTime()) / 2 / Math.max(1, addresses.size()));
        // Cancelled if all attempts have failed, so that links opened later are closed.
        CompletableFuture<Opened> winner = new CompletableFuture<>();
        List<Failure> failures = new CopyOnWriteArrayList<>();
        Semaphore ended = new Semaphore(0);
        List<Thread> threads = new ArrayList<>();
        boolean won = false;
        try {
            while (!winner.isDone() && failures.size() < addresses.size()) {
                if (threads.size() < addresses.size()) {
                    SocketAddress next = addresses.get(threads.size());
                    threads.add(new DaemonThread(
                            () -> {
                                try {
                                    Opened opened = new Opened(next, attempt.open(next));
                                    if (!winner.complete(opened)) {
                                        opened.link.close();
                                    }
                                } catch (Throwable e) {
                                    failures.add(new Failure(next, e));
                                } finally {
                                    ended.release();
                                }
                            },
                            "memshard-connect"));
                    threads.get(threads.size() - 1).start();
                }
                long patience = threads.size() < addresses.size()
                        ? turnNanos
                        : deadlineNanos + GRACE_NANOS - System.nanoTime();
                if (!ended.tryAcquire(patience, TimeUnit.NANOSECONDS) && deadlineNanos - System.nanoTime() <= 0) {
                    break;
                }
            }
            won = !winner.cancel(false);
            if (won) {
                return winner.join();
            }
            throw failure(failures, addresses.size());
        } finally {
            if (!won && !winner.cancel(false)) {
                winner.join().link.close();
            }
            threads.forEach(Thread::interrupt);
        }
    }

    private static IOException failure(List<Failure> failures, int addresses) {
        if (failures.isEmpty()) {
            return new SocketTimeoutException("none of " + addresses + " addresses accepted a connection in time");
        }
        Failure told = failures.stream()
                .filter(each ->
                        each.cause instanceof SSLException || each.cause instanceof AuthenticationRefusedException)
                .findFirst()
                .orElse(failures.get(0));
        failures.stream().filter(each -> each != told).forEach(other -> told.cause.addSuppressed(other.cause));
        return told.cause instanceof AuthenticationRefusedException refused
                ? refused
                : new IOException(
                        LinkFailure.describe(told.cause) + " (" + told.address + ", one of " + addresses
                                + " addresses)",
                        told.cause);
    }
}
