// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.FaultProxy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Life of a client under Errors: several threads get, set and load, futures complete, calls give up, a thread is
 * interrupted, connections are lost, and the client is closed with commands in flight. The result lists what was wrong.
 *
 * <p>A {@link FaultyClassLoader} loads this class together with the client.
 */
public final class Trial implements Callable<List<String>> {

    /** Few enough for some to be refused. */
    private static final int MOST_IN_FLIGHT = 10;

    /** Lengths of the values that are set: in a command's own buffer, by reference, and through a borrowed buffer. */
    private static final List<Integer> VALUE_BYTES = List.of(20, 5 * 1024, 100 * 1024);

    private static final int MOST_VALUE_BYTES = 128 * 1024;

    /** Long enough for a caller to leave its end to the timer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Keys of which each of two connections has one. */
    private static final List<String> EACH_CONNECTION = List.of("k0", "k1");

    private static final String HASTILY = "hasty get ";

    private static final Duration HASTY = Duration.ofNanos(200_000);

    /** Time after which a call, or the replacement of a lost connection, hangs. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** A claim is lost with its connection, and ends soon enough for the callers that wait for it. */
    private static final LoadOptions LOADING = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(2));

    /** Average number of places that are reached between two Errors. */
    private static final int PLACES_PER_ERROR = 50_000;

    /** Time for which Errors are thrown. */
    private static final long ERRORS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long an idle client is watched, and how many places it may reach meanwhile. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private static final int IDLE_PASSES = 1_000;

    /** How many times it is watched before it counts as spinning. */
    private static final int IDLE_WATCHES = 20;

    private final FaultProxy proxy;
    private final Transport transport;
    private final int size;
    private final ConnectionOptions options;
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean loads;

    /**
     * Creates a trial to be run once.
     *
     * @param connections number of connections, each with some of the keys, as with several servers
     */
    public Trial(FaultProxy proxy, String transport, String protocol, int connections) {
        this.proxy = proxy;
        this.transport = Transport.valueOf(transport);
        size = connections;
        options = options(Protocol.valueOf(protocol));
    }

    /** Liveness and heartbeat are no help: the connection is to recover without them. */
    private static ConnectionOptions options(Protocol protocol) {
        return ConnectionOptions.builder()
                .maxValueBytes(MOST_VALUE_BYTES)
                .maxInFlight(MOST_IN_FLIGHT)
                .connectTimeout(Duration.ofSeconds(1)) // An attempt that fails is made again.
                .livenessTimeout(Duration.ofMinutes(1))
                .heartbeatInterval(Duration.ofMinutes(1))
                .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(4))
                .protocol(protocol)
                .build();
    }

    @Override
    public List<String> call() {
        LeakCheck leaks = LeakCheck.start();
        // Twice, because the JVM never runs a failed initializer of a class again: the first life loads the classes.
        live(() -> {}, () -> {});
        if (complaints.isEmpty()) {
            live(() -> FaultPoints.throwAtOneIn(PLACES_PER_ERROR), FaultPoints::fillHeap);
        }
        leaks.assertNothingLeft();
        return complaints;
    }

    private void live(Runnable first, Runnable second) {
        proxy.heal();
        try (ConnectionGroup group = new ConnectionGroup(options, 1, new ConnectionListener() {})) {
            ByKey connections = newConnections(group);
            Views clients = clients(connections);
            for (Runnable errors : List.of(first, second)) {
                // A load has no deadline. If there is no memory to report its failure either, its future is lost.
                loads = errors == first && options.protocol() != Protocol.CLASSIC;
                recover(connections, clients);
                callUnder(errors, clients);
                recover(connections, clients);
            }
            if (complaints.isEmpty()) {
                endWithCommandsInFlight(first, group, connections, clients);
            }
        } finally {
            FaultPoints.stop();
        }
    }

    /** Calls while Errors are thrown. In the middle of that time, every connection is lost. */
    private void callUnder(Runnable errors, Views clients) {
        long end = System.nanoTime() + ERRORS_NANOS;
        List<Views> views =
                Stream.of(FailurePolicy.values()).map(clients::under).toList();
        List<Thread> callers = new ArrayList<>();
        for (Views each : views) {
            String key = "caller-" + callers.size();
            callers.add(started(key, () -> callUntil(end, i -> callBlocking(each, key, i))));
        }
        callers.add(started("futures", () -> callUntil(end, i -> callAsynchronously(clients))));
        errors.run();
        LockSupport.parkNanos(ERRORS_NANOS / 2);
        proxy.cutAll();
        LockSupport.parkNanos(ERRORS_NANOS / 2);
        FaultPoints.stop();
        join(callers);
    }

    private static void callUntil(long end, IntPredicate call) {
        for (int i = 0; System.nanoTime() - end < 0; i++) { // No count is asserted.
            if (!call.test(i)) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /**
     * Connections of which each has some of the keys. They have one position in their arrays, so they share a reader
     * with fewer than eight processors.
     */
    private record ByKey(List<Connection> connections) implements CommandSender {

        private CommandSender of(@Nullable String key) {
            return connections.get(key == null ? 0 : Math.floorMod(key.hashCode(), connections.size()));
        }

        @Override
        public <T> Reply<T> send(Command<T> command, SendMode mode) {
            return of(command.key()).send(command, mode);
        }

        @Override
        public <T> T call(Command<T> command, long timeoutNanos) {
            return of(command.key()).call(command, timeoutNanos);
        }

        @Override
        public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
            return items.stream().collect(Collectors.groupingBy(item -> of(key.apply(item))));
        }

        @Override
        public CompletableFuture<@Nullable Void> pause(long nanos) {
            return connections.get(0).pause(nanos);
        }

        int inFlight() {
            return connections.stream().mapToInt(Connection::inFlight).sum();
        }
    }

    private ByKey newConnections(ConnectionGroup group) {
        ServerAddress address = new ServerAddress(
                proxy.address().getHostString(), proxy.address().getPort());
        return new ByKey(IntStream.range(0, size)
                .mapToObj(i -> group.newConnection(address, 0, transport))
                .toList());
    }

    /** What calls the connection; the hasty ones give up soon. */
    private record Views(
            MemcachedClient<String> patient, MemcachedClient<String> hasty, AsyncMemcachedClient<String> async) {

        Views under(FailurePolicy policy) {
            return new Views(
                    patient.withFailurePolicy(policy),
                    hasty.withFailurePolicy(policy),
                    async.withFailurePolicy(policy));
        }
    }

    private static Views clients(CommandSender connections) {
        Transcoder<String> transcoder = Transcoder.utf8();
        return new Views(
                Clients.blocking(connections, transcoder, MOST_VALUE_BYTES, TIMEOUT),
                Clients.blocking(connections, transcoder, MOST_VALUE_BYTES, HASTY),
                Clients.async(connections, transcoder, MOST_VALUE_BYTES, TIMEOUT));
    }

    // Under load.

    private static Thread started(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** One call, of a kind that changes; false if it does not succeed, which some are not meant to. */
    private boolean callBlocking(Views clients, String key, int number) {
        switch (number % 8) {
            case 1:
                return attempt(key + " set", () -> {
                    int length = VALUE_BYTES.get(Math.floorMod(key.hashCode() + number / 8, VALUE_BYTES.size()));
                    clients.patient.set(key, key + number + "x".repeat(length), TimeToLive.NEVER);
                    return true;
                });
            case 4:
                attempt(HASTILY + key, () -> isValue(key, clients.hasty.get(key)));
                return false;
            case 5:
                return !loads || attempt(key + " getOrLoad", () -> isValue(key, getOrLoad(clients, key + "-loaded")));
            case 6:
                List<String> keys = IntStream.range(0, 5).mapToObj(n -> "k" + n).toList();
                return attempt(
                                key + " multiGet",
                                () -> clients.patient.multiGet(keys).failures().isEmpty())
                        && (!loads || attempt(key + " multiGetOrLoad", () -> multiGetOrLoad(clients, key)));
            case 7:
                Thread.currentThread().interrupt();
                attempt(key + " interrupted get", () -> isValue(key, clients.patient.get(key)));
                Thread.interrupted();
                return false;
            default:
                return attempt(key + " get", () -> isValue(key, clients.patient.get(key)));
        }
    }

    /** A key of its own for each caller, whose item is gone after a moment, so that it is loaded again and again. */
    private static @Nullable String getOrLoad(Views clients, String key) {
        return clients.patient.getOrLoad(key, Duration.ofSeconds(1), missing -> missing + " was loaded", LOADING);
    }

    private static boolean multiGetOrLoad(Views clients, String key) {
        return clients.patient
                .multiGetOrLoad(List.of(key + "-1", key + "-2"), Duration.ofSeconds(1), Trial::loadedAll, LOADING)
                .failures()
                .isEmpty();
    }

    private static Map<String, String> loadedAll(Set<String> missing) {
        return missing.stream().collect(Collectors.toMap(each -> each, each -> each + " was loaded"));
    }

    private static boolean isValue(String key, @Nullable String value) {
        if (value != null && !value.startsWith(key)) {
            throw new AssertionError("value of another key: " + value + " for " + key);
        }
        return true;
    }

    private boolean attempt(String what, Supplier<Boolean> call) {
        try {
            return call.get();
        } catch (MemcachedTimeoutException e) {
            check(what.contains(HASTILY), what, e); // The server answers, so only these may time out.
        } catch (MemcachedException e) {
            // As it should.
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), what, e);
        }
        return false;
    }

    private boolean callAsynchronously(Views clients) {
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String key = "future-" + i;
            attempt("send of a get", () -> futures.add(clients.async.get(key)));
            attempt("send of a set", () -> futures.add(clients.async.set(key, key, TimeToLive.NEVER)));
        }
        attempt("send of a multiGet", () -> futures.add(clients.async.multiGet(List.of("k1", "k2", "k3"))));
        boolean succeeded = futures.size() == 9;
        if (loads) {
            attempt("send of a getOrLoad", () -> futures.add(getOrLoadAsynchronously(clients)));
            attempt(
                    "send of a multiGetOrLoad",
                    () -> futures.add(clients.async.multiGetOrLoad(
                            List.of("future-loaded-1", "future-loaded-2"),
                            Duration.ofSeconds(1),
                            missing -> CompletableFuture.completedFuture(loadedAll(missing)),
                            LOADING)));
            succeeded &= futures.size() == 11;
        }
        for (int i = 0; i < futures.size(); i++) {
            succeeded &= completes("future " + i, futures.get(i));
        }
        return succeeded;
    }

    private static CompletableFuture<?> getOrLoadAsynchronously(Views clients) {
        return clients.async.getOrLoad(
                "future-loaded",
                Duration.ofSeconds(1),
                missing -> CompletableFuture.completedFuture(missing + " was loaded"),
                LOADING);
    }

    private boolean completes(String what, CompletableFuture<?> future) {
        try {
            future.get(SOON_NANOS, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            boolean failed = e.getCause() instanceof MemcachedException;
            boolean timedOut = e.getCause() instanceof MemcachedTimeoutException;
            check((failed && !timedOut) || FaultPoints.isInjected(e), what, e);
        } catch (TimeoutException e) {
            complaints.add(what + " does not complete" + ownThreads());
        } catch (InterruptedException e) {
            // After a hang, which was told of.
        }
        return false;
    }

    private void check(boolean allowed, String what, Throwable failure) {
        if (!allowed) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            complaints.add(what + ": " + trace);
        }
    }

    /** Waits for callers, who have a limit of their own; those that hang are told of, and interrupted. */
    private void join(List<Thread> callers) {
        long deadline = System.nanoTime() + 3 * SOON_NANOS;
        try {
            for (Thread caller : callers) {
                caller.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                if (caller.isAlive()) {
                    complaints.add(caller.getName() + " hangs" + ownThreads());
                    caller.interrupt();
                    caller.join(TimeUnit.NANOSECONDS.toMillis(SOON_NANOS));
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // Afterwards.

    private void recover(ByKey connections, Views clients) {
        // With AUTO they go over two links.
        for (String key : EACH_CONNECTION) {
            succeeds("a get in the end", () -> clients.patient.get(key));
            succeeds("a future in the end", () -> clients.async.get(key).get());
        }
        for (String key : EACH_CONNECTION) {
            if (!attempt("recovered", () -> isValue("", clients.patient.get(key)))
                    || !completes("recovered", clients.async.get(key))) {
                complaints.add("a command fails on a connection that works again");
            }
        }
        awaitTrue("nothing in flight, but " + connections.inFlight(), () -> connections.inFlight() == 0);
        watchForSpinning("idle");
    }

    /** Complains if no short while passes without many places reached: a thread that spins does not stop. */
    private void watchForSpinning(String state) {
        long passes = IDLE_PASSES;
        for (int i = 0; i < IDLE_WATCHES && passes >= IDLE_PASSES; i++) {
            long before = FaultPoints.passes();
            LockSupport.parkNanos(IDLE_NANOS);
            passes = FaultPoints.passes() - before;
        }
        if (passes >= IDLE_PASSES) {
            complaints.add("spins while " + state + ": " + passes + " places in 15 ms" + ownThreads());
        }
    }

    /** Calls until that succeeds; by a thread of its own, which may hang. */
    private void succeeds(String what, Callable<?> call) {
        long deadline = System.nanoTime() + SOON_NANOS;
        Thread caller = started("caller of " + what, () -> {
            Throwable last = null;
            while (System.nanoTime() - deadline < 0) { // A limit for hangs.
                try {
                    call.call();
                    return;
                } catch (Throwable e) {
                    last = e instanceof ExecutionException ? e.getCause() : e;
                    check(last instanceof MemcachedConnectionException || FaultPoints.isInjected(e), what, e);
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
            complaints.add(what + " does not succeed: " + last + ownThreads());
        });
        join(List.of(caller));
    }

    private void awaitTrue(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 2 * SOON_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                complaints.add("not in time: " + what + ownThreads());
                return;
            }
            LockSupport.parkNanos(RETRY_NANOS / 4);
        }
    }

    // The end.

    private void endWithCommandsInFlight(Runnable errors, ConnectionGroup group, ByKey connections, Views clients) {
        proxy.swallow(true);
        List<CompletableFuture<?>> futures = List.of(clients.async.get("k1"), clients.async.get("k2"));
        Thread caller = started(
                "caller at the end", () -> attempt("get at the end", () -> isValue("", clients.patient.get("k"))));
        awaitTrue("in flight before the end", () -> connections.inFlight() >= 3);
        watchForSpinning("the server is silent");
        errors.run();
        try {
            group.close();
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), "close", e);
        }
        FaultPoints.stop();
        group.close();
        join(List.of(caller));
        futures.forEach(future -> completes("future at the end", future));
        attempt("get after the end", () -> isValue("", clients.patient.get("k")));
    }

    /** Returns what the client's threads and the callers do now, if nothing else was wrong before. */
    private String ownThreads() {
        StringBuilder stacks = new StringBuilder();
        if (complaints.isEmpty()) {
            Thread.getAllStackTraces().forEach((thread, frames) -> { // They are described only.
                if (thread.getName().matches("(memshard|caller|futures).*")) {
                    stacks.append("\n      ").append(thread);
                    Stream.of(frames)
                            .forEach(frame -> stacks.append("\n        at ").append(frame));
                }
            });
        }
        return stacks.toString();
    }
}
