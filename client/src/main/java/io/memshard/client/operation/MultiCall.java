// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Call on many keys, split into parts; each part is one command. Threading: confined to one thread at a time.
 *
 * <p>A part that was not sent is tried again if its keys have moved to other servers, or if the connection was full or
 * lost.
 */
abstract class MultiCall<I, T, R> {

    /** Maximum parts of a call in flight on a connection: another command then waits for at most 800 keys. */
    static final int MAX_PARTS_IN_FLIGHT = 8;

    /** Items of one command. {@code isRepeated} is true if an earlier reply left their outcomes open. */
    record Part<I>(List<I> items, boolean isRepeated) {}

    /** Part to send. {@code isAlone} is true if the server has no other part of this call in flight. */
    record Sending<I, T>(Part<I> part, Command<T> command, Target<I> target, Route route, boolean isAlone) {

        CommandSender sender() {
            return route.sender;
        }

        private CommandContext context(@Nullable String key, Phase phase) {
            return route.sender.context(command.verb(), key, phase);
        }
    }

    private record Sent<I, T>(Sending<I, T> sending, Reply<T> reply) {}

    final Calls calls;
    final MultiKeys keys;

    private final String name;
    private final int maxBytes;
    private final Map<CommandSender, Target<I>> targets = new LinkedHashMap<>();
    private final Deque<Target<I>> turns = new ArrayDeque<>();
    private SendMode mode = SendMode.UNAWAITED;
    private long deadlineNanos;
    private int inFlight;

    MultiCall(Calls calls, String name, MultiKeys keys, int maxBytes) {
        this.calls = calls;
        this.name = name;
        this.keys = keys;
        this.maxBytes = maxBytes;
    }

    /** Returns all items with legal keys. Items of different lists are never in the same command. */
    abstract List<List<I>> unsplit();

    abstract String key(I item);

    abstract int requestBytes(I item);

    abstract Command<T> command(Part<I> part);

    /** Records the outcomes of a part's items. Returns a part with the items that need another command, or null. */
    @Nullable
    abstract Part<I> take(Part<I> part, T answer, Function<String, CommandContext> contexts);

    /** Records an outcome. A store that failed may be followed by a delete that fails too. */
    void record(String stored, Object outcome) {
        String key = keys.written(stored);
        if (keys.outcomes.put(key, outcome) instanceof MemcachedException failure) {
            keys.outcomes.put(key, failure);
            if (outcome instanceof MemcachedException second) {
                Futures.suppress(second, failure);
            }
        }
    }

    abstract R result();

    final R run() {
        return calls.call(name, null, keys.outcomes.size(), this::sendAndAwait);
    }

    final CompletableFuture<R> start() {
        return calls.start(name, null, keys.outcomes.size(), () -> new AsyncRun().start());
    }

    private R sendAndAwait() {
        begin(SendMode.AWAITED);
        if (turns.size() == 1 && turns.element().waiting.size() == 1) {
            Sending<I, T> only = Objects.requireNonNull(next());
            settle(only, () -> only.sender().call(only.command, leftNanos()));
            if (isOver()) {
                return result();
            }
        }
        Deque<Sent<I, T>> sent = new ArrayDeque<>();
        JointWait joint = new JointWait();
        Consumer<Sending<I, T>> send = next -> {
            Reply<T> reply = next.sender().send(next.command, mode);
            reply.join(joint);
            sent.add(new Sent<>(next, reply));
        };
        try {
            for (sendAll(send); !isOver(); sendAll(send)) {
                joint.setComplete(turns.isEmpty());
                Sent<I, T> oldest = sent.element();
                settle(oldest.sending, () -> oldest.reply.await(leftNanos()));
                sent.remove();
            }
            return result();
        } catch (Throwable e) {
            // Ends the parts in flight, so that no array of the caller is read after the call.
            for (Sent<I, T> left : sent) {
                try {
                    left.reply.await(0);
                } catch (Throwable second) {
                    Futures.suppress(second, e);
                }
            }
            throw e;
        }
    }

    private long leftNanos() {
        return deadlineNanos - System.nanoTime();
    }

    private void sendAll(Consumer<Sending<I, T>> send) {
        for (Sending<I, T> next = next(); next != null; next = next()) {
            MemcachedException reason = reasonNotToSend(next);
            if (reason == null) {
                send.accept(next);
            } else {
                takeFailure(next, reason);
            }
        }
    }

    private @Nullable MemcachedException reasonNotToSend(Sending<I, T> sending) {
        boolean isInterrupted = mode.isAwaited() && Thread.currentThread().isInterrupted();
        if (!isInterrupted && leftNanos() > 0) {
            return null;
        }
        // An earlier reply shows that the server executed the command for some items.
        CommandContext context = sending.context(null, sending.part.isRepeated ? Phase.REPLIED : Phase.QUEUED);
        return isInterrupted
                ? new MemcachedInterruptedException(
                        "interrupted before the command with this key was sent", context, null)
                : new MemcachedTimeoutException(
                        "the request timeout expired before the command with this key was sent:"
                                + " raise requestTimeout, or request fewer keys at once",
                        context,
                        null);
    }

    private void settle(Sending<I, T> sending, Supplier<T> reply) {
        T answer;
        try {
            answer = reply.get();
        } catch (MemcachedException e) {
            takeFailure(sending, e);
            return;
        }
        takeAnswer(sending, answer);
    }

    final void begin(SendMode sendMode) {
        mode = sendMode;
        deadlineNanos = System.nanoTime() + calls.nanos();
        unsplit().forEach(items -> queue(split(new Part<>(items, false))));
    }

    private Map<CommandSender, List<Part<I>>> split(Part<I> part) {
        if (part.items.isEmpty()) {
            return Map.of();
        }
        Map<CommandSender, List<Part<I>>> parts = new LinkedHashMap<>();
        calls.sender
                .byServer(part.items, this::key)
                .forEach((server, group) -> parts.put(server, cut(group, part.isRepeated)));
        return parts;
    }

    private List<Part<I>> cut(List<I> all, boolean isRepeated) {
        List<Part<I>> parts = new ArrayList<>();
        int from = 0;
        long length = 0;
        for (int at = 0; at < all.size(); at++) {
            int more = requestBytes(all.get(at));
            if (at > from && (at - from == KeysCommand.MAX_KEYS || length + more > maxBytes)) {
                parts.add(new Part<>(all.subList(from, at), isRepeated));
                from = at;
                length = 0;
            }
            length += more;
        }
        parts.add(new Part<>(all.subList(from, all.size()), isRepeated));
        return parts;
    }

    private void queue(Map<CommandSender, List<Part<I>>> parts) {
        parts.forEach((server, ofServer) -> {
            Target<I> target = targets.computeIfAbsent(server, any -> new Target<>(any, mode));
            addTurn(target);
            target.waiting.addAll(ofServer);
        });
    }

    private void queueFirst(Target<I> target, Part<I> part) {
        addTurn(target);
        target.waiting.addFirst(part);
    }

    private void addTurn(Target<I> target) {
        if (target.waiting.isEmpty()) {
            turns.add(target);
        }
    }

    final @Nullable Sending<I, T> next() {
        for (int left = turns.size(); left > 0; left--) {
            Target<I> target = turns.remove();
            Route freest = target.freest();
            Part<I> part = freest.room() > 0 || target.inFlight == 0 ? target.waiting.remove() : null;
            if (!target.waiting.isEmpty()) {
                turns.add(target);
            }
            if (part != null) {
                boolean isAlone = target.inFlight == 0;
                freest.inFlight++;
                target.inFlight++;
                inFlight++;
                return new Sending<>(part, command(part), target, freest, isAlone);
            }
        }
        return null;
    }

    final boolean isOver() {
        return turns.isEmpty() && inFlight == 0;
    }

    final void takeAnswer(Sending<I, T> sending, T answer) {
        release(sending);
        Part<I> again = take(sending.part, answer, key -> sending.context(key, Phase.REPLIED));
        if (again != null) {
            queueFirst(sending.target, again);
        }
    }

    final void takeFailure(Sending<I, T> sending, MemcachedException failure) {
        release(sending);
        Target<I> target = sending.target;
        Map<CommandSender, List<Part<I>>> elsewhere =
                RoutingSender.elsewhere(failure, target.server, () -> split(sending.part));
        if (!elsewhere.isEmpty()) {
            queue(elsewhere);
        } else if (isSentAgain(sending, failure)) {
            queueFirst(target, sending.part);
        } else {
            sending.part.items.forEach(item -> record(key(item), failure.ofKey(key(item))));
        }
    }

    private void release(Sending<I, T> sending) {
        sending.route.inFlight--;
        sending.target.inFlight--;
        inFlight--;
    }

    private boolean isSentAgain(Sending<I, T> sending, MemcachedException failure) {
        Route route = sending.route;
        if (failure instanceof MemcachedOverloadException) {
            // Another part of this call may have filled the connection, and may have ended since.
            route.maxInFlight = route.inFlight;
            // Other connections come first from now on.
            sending.target.routes.remove(route);
            sending.target.routes.add(route);
            return sending.target.inFlight > 0 || !sending.isAlone;
        }
        return failure instanceof MemcachedConnectionException
                && sending.target.removes(route)
                && failure.isSafeToRetry();
    }

    /**
     * Asynchronous run. A thread that completes a reply adds a task to {@link #ends}. The thread that raises
     * {@link #pendingEnds} from 0 runs tasks until the count is 0 again, and only this thread uses the call. By its
     * access to {@code pendingEnds}, it sees all writes of the previous thread.
     */
    private final class AsyncRun {

        /** Future of the first reply's class, which throws if an event loop waits for the result. */
        private @Nullable CompletableFuture<R> result;

        private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();
        private final AtomicInteger pendingEnds = new AtomicInteger();

        CompletableFuture<R> start() {
            begin(SendMode.UNAWAITED);
            addEnd(() -> {});
            return future();
        }

        private CompletableFuture<R> future() {
            if (result == null) {
                result = new CompletableFuture<>();
            }
            return result;
        }

        private void addEnd(Runnable end) {
            ends.add(end);
            if (pendingEnds.getAndIncrement() > 0) {
                return;
            }
            do {
                try {
                    ends.remove().run();
                    if (result == null || !result.isDone()) {
                        sendAll(this::send);
                    }
                    if (isOver()) {
                        future().complete(result());
                    }
                } catch (Throwable e) {
                    // Also an Error of a transcoder: otherwise the future would never complete.
                    future().completeExceptionally(e);
                }
            } while (pendingEnds.decrementAndGet() > 0);
        }

        private void send(Sending<I, T> sending) {
            CompletableFuture<T> reply =
                    sending.sender().send(sending.command, mode).toFuture(Duration.ofNanos(Math.max(1, leftNanos())));
            if (result == null) {
                result = reply.newIncompleteFuture();
            }
            // After an Error, no end is queued, so nothing else would complete the operation.
            Futures.atEnd(
                    reply,
                    (answer, failure) -> addEnd(() -> settle(sending, () -> Futures.result(reply))),
                    failure -> future().completeExceptionally(Futures.cause(failure)));
        }
    }

    private static final class Target<I> {

        private final CommandSender server;
        private final Deque<Part<I>> waiting = new ArrayDeque<>();
        private final List<Route> routes = new ArrayList<>(1);
        private final Iterator<CommandSender> unused;
        private int inFlight;

        Target(CommandSender server, SendMode mode) {
            this.server = server;
            unused = server.spread(mode).iterator();
            routes.add(new Route(unused.next()));
        }

        Route freest() {
            Route freest = routes.get(0);
            for (Route route : routes) {
                if (route.room() > freest.room()) {
                    freest = route;
                }
            }
            return freest.room() < MAX_PARTS_IN_FLIGHT && unused.hasNext() ? nextRoute() : freest;
        }

        private Route nextRoute() {
            Route next = new Route(unused.next());
            routes.add(next);
            return next;
        }

        boolean removes(Route lost) {
            if (unused.hasNext()) {
                nextRoute();
            }
            if (routes.size() > 1) {
                routes.remove(lost);
            }
            return !routes.contains(lost);
        }
    }

    private static final class Route {

        private final CommandSender sender;
        private int inFlight;
        private int maxInFlight = MAX_PARTS_IN_FLIGHT;

        Route(CommandSender sender) {
            this.sender = sender;
        }

        int room() {
            return maxInFlight - inFlight;
        }
    }
}
