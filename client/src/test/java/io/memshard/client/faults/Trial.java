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
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.FaultProxy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
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
import java.util.concurrent.atomic.AtomicInteger;
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
 * The life of a connection, from its first command to its end, while an Error happens somewhere on it: several threads
 * that get, set and load, futures, calls that give up, an interrupt, a connection lost under load and one lost while
 * idle, and the end with commands in flight. Its result is what was wrong.
 *
 * <p>Loaded by a {@link FaultyClassLoader} of its own kind together with the client.
 */
public final class Trial implements Callable<List<String>> {

    /** Few enough for some to be refused. */
    private static final int MOST_IN_FLIGHT = 10;

    /** Lengths of the values that are set: in a command's own buffer, by reference, and through a borrowed buffer. */
    private static final List<Integer> VALUE_BYTES = List.of(20, 5 * 1024, 100 * 1024);

    private static final int MOST_VALUE_BYTES = 128 * 1024;

    /** Long enough for a caller to leave its end to the timer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Keys of which each of two connections has one. */
    private static final List<String> EACH_CONNECTION = List.of("k0", "k1");

    private static final String HASTILY = "hasty get ";

    private static final Duration HASTY = Duration.ofNanos(200_000);

    /** Time after which a call, or the replacement of a lost connection, hangs. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A claim is lost with its connection, and ends soon enough for the callers that wait for it. */
    private static final LoadOptions LOADING = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(2));

    private static final long STORM_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long an idle client is watched, and how many places it may reach meanwhile. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private static final int IDLE_PASSES = 1_000;

    /** How many times it is watched before it counts as spinning. */
    private static final int IDLE_WATCHES = 20;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final FaultProxy proxy;
    private final Transport transport;
    private final int size;
    private final ConnectionOptions options;
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger successes = new AtomicInteger();
    private volatile boolean cut;
    private int[] loadHits = {};
    private int[] closeHits = {};

    /**
     * A trial to be run once.
     *
     * @param proxy in front of the server
     * @param transport the name of who does the I/O
     * @param protocol the name of what is spoken
     * @param connections number of connections, each with some of the keys, as with several servers
     * @param trusted the certificates to trust, in PEM; null for plain text
     */
    public Trial(FaultProxy proxy, String transport, String protocol, int connections, @Nullable Path trusted) {
        this.proxy = proxy;
        this.transport = Transport.valueOf(transport);
        size = connections;
        options = options(Protocol.valueOf(protocol), trusted);
    }

    /** Liveness and heartbeat are no help: the connection is to recover without them. */
    private static ConnectionOptions options(Protocol protocol, @Nullable Path trusted) {
        ConnectionOptions.Builder settings = ConnectionOptions.builder()
                .maxValueBytes(MOST_VALUE_BYTES)
                .maxInFlight(MOST_IN_FLIGHT)
                .connectTimeout(Duration.ofSeconds(1)) // An attempt that fails is made again.
                .livenessTimeout(Duration.ofMinutes(1))
                .heartbeatInterval(Duration.ofMinutes(1))
                .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(4))
                .protocol(protocol);
        return (trusted == null ? settings : settings.tls(TlsOptions.trusting(trusted))).build();
    }

    /** How often each place was reached, by phase. */
    public int[][] hits() {
        return new int[][] {loadHits, closeHits};
    }

    @Override
    public List<String> call() {
        LeakCheck leaks = LeakCheck.start();
        proxy.heal();
        FaultPoints.begin(FaultPoints.Phase.LOAD);
        try {
            withGroup(new ConnectionGroup(options, 1, new ConnectionListener() {}));
        } catch (Error e) {
            loadHits = FaultPoints.end();
            check(FaultPoints.isInjected(e), "no client could be made", e);
        }
        try {
            leaks.assertNothingLeft();
        } catch (AssertionError e) {
            complaints.add("after close: " + e.getMessage() + ownThreads());
        }
        return complaints;
    }

    /**
     * As {@link #call}, where no allocation succeeds for half a second, in which the connection is lost. Afterwards all
     * works again.
     */
    public List<String> callThroughStorm() {
        LeakCheck leaks = LeakCheck.start();
        proxy.heal();
        try (ConnectionGroup group = new ConnectionGroup(options, 1, new ConnectionListener() {})) {
            ByKey connections = newConnections(group);
            Views clients = clients(connections);
            recover(connections, clients);
            endsThroughStorm(clients);
            recover(connections, clients);
            if (complaints.isEmpty()) {
                endWithCommandsInFlight(group, connections, clients);
            }
        } finally {
            FaultPoints.storm(false);
            FaultPoints.end();
        }
        leaks.assertNothingLeft();
        return complaints;
    }

    private void endsThroughStorm(Views clients) {
        long end = System.nanoTime() + STORM_NANOS;
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String key = "storm-" + i;
            callers.add(started(key, () -> {
                for (int call = 0; System.nanoTime() - end < 0; call++) { // No count is asserted.
                    if (!(key.endsWith("0") ? callAsynchronously(clients) : callBlocking(clients, key, call))) {
                        LockSupport.parkNanos(RETRY_NANOS);
                    }
                }
            }));
        }
        FaultPoints.storm(true);
        LockSupport.parkNanos(STORM_NANOS / 2);
        proxy.cutAll();
        LockSupport.parkNanos(STORM_NANOS / 2);
        FaultPoints.storm(false);
        join(callers);
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

    private void withGroup(ConnectionGroup group) {
        try {
            ByKey connections = newConnections(group);
            Views clients = clients(connections);
            load(clients);
            loadHits = FaultPoints.end();
            if (complaints.isEmpty()) {
                recover(connections, clients);
            }
            if (complaints.isEmpty()) {
                endWithCommandsInFlight(group, connections, clients);
            }
        } finally {
            FaultPoints.end();
            // Also after an Error: it is the last thing that a user can do.
            group.close();
        }
    }

    /** What calls the connection; the hasty ones give up soon. */
    private record Views(
            MemcachedClient<String> patient,
            MemcachedClient<String> hasty,
            AsyncMemcachedClient<String> async,
            AsyncMemcachedClient<String> hastyAsync) {

        Views under(FailurePolicy policy) {
            return new Views(
                    patient.withFailurePolicy(policy),
                    hasty.withFailurePolicy(policy),
                    async.withFailurePolicy(policy),
                    hastyAsync);
        }
    }

    private static Views clients(CommandSender connections) {
        Transcoder<String> transcoder = Transcoder.utf8();
        return new Views(
                Clients.blocking(connections, transcoder, MOST_VALUE_BYTES, TIMEOUT),
                Clients.blocking(connections, transcoder, MOST_VALUE_BYTES, HASTY),
                Clients.async(connections, transcoder, MOST_VALUE_BYTES, TIMEOUT),
                Clients.async(connections, transcoder, MOST_VALUE_BYTES, HASTY));
    }

    // Under load.

    private void load(Views clients) {
        // All of them first: an Error on this thread must not leave callers behind.
        List<Views> views =
                Stream.of(FailurePolicy.values()).map(clients::under).toList();
        List<Thread> callers = new ArrayList<>();
        for (Views each : views) {
            String key = "caller-" + callers.size();
            callers.add(started(key, () -> callUntilRecovered(key, 4, i -> callBlocking(each, key, i))));
        }
        Views last = views.get(views.size() - 1);
        callers.add(started("futures", () -> callUntilRecovered("futures", 2, i -> callAsynchronously(last))));
        awaitTrue("any success", () -> successes.get() >= 15);
        proxy.cutAll();
        cut = true;
        join(callers);
        succeeds("a future alone", () -> clients.async.get("k").get());
        proxy.cutAll();
        succeeds("a get after the loss of an idle connection", () -> clients.patient.get("k"));
    }

    private static Thread started(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Calls until so many calls have succeeded after the loss of the connection. */
    private void callUntilRecovered(String caller, int wanted, IntPredicate call) {
        int after = 0;
        long deadline = System.nanoTime() + 2 * SOON_NANOS;
        for (int i = 0; after < wanted; i++) {
            boolean wasCut = cut;
            if (call.test(i)) {
                successes.incrementAndGet();
                after += wasCut ? 1 : 0;
            } else {
                LockSupport.parkNanos(RETRY_NANOS);
            }
            if (System.nanoTime() - deadline > 0) {
                complaints.add(caller + ": no success in time, " + after + " after the loss");
                return;
            }
        }
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
                return options.protocol() == Protocol.CLASSIC
                        || attempt(key + " getOrLoad", () -> isValue(key, getOrLoad(clients, key + "-loaded")));
            case 6:
                List<String> keys = IntStream.range(0, 5).mapToObj(n -> "k" + n).toList();
                return attempt(
                                key + " multiGet",
                                () -> clients.patient.multiGet(keys).failures().isEmpty())
                        && (options.protocol() == Protocol.CLASSIC
                                || attempt(key + " multiGetOrLoad", () -> multiGetOrLoad(clients, key)));
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

    /** Calls once; false if that fails in a way that it may. */
    private boolean attempt(String what, Supplier<Boolean> call) {
        long start = System.nanoTime();
        boolean succeeded = false;
        try {
            succeeded = call.get();
        } catch (MemcachedTimeoutException e) {
            checkTimeout(what, e);
        } catch (MemcachedException e) {
            // As it should.
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), what, e);
        }
        long nanos = System.nanoTime() - start;
        if (nanos > SOON_NANOS) {
            complaints.add(what + " took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
        }
        return succeeded;
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
        if (options.protocol() != Protocol.CLASSIC) {
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

    /** Waits for a future; false if it fails in a way that it may. */
    private boolean completes(String what, CompletableFuture<?> future) {
        try {
            future.get(SOON_NANOS, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemcachedTimeoutException timeout) {
                checkTimeout(what, timeout);
            } else {
                check(e.getCause() instanceof MemcachedException || FaultPoints.isInjected(e), what, e);
            }
        } catch (TimeoutException e) {
            complaints.add(what + " does not complete" + ownThreads());
        } catch (InterruptedException e) {
            // After a hang, which was told of.
        }
        return false;
    }

    /** The server answers, so only what is hasty may run out of time. */
    private void checkTimeout(String what, MemcachedTimeoutException timeout) {
        check(what.contains(HASTILY), what, timeout);
    }

    private void check(boolean allowed, String what, Throwable failure) {
        if (!allowed) {
            StringBuilder told = new StringBuilder(what + ": " + failure);
            for (Throwable e = failure; e != null; e = e.getCause()) {
                told.append("\n      ").append(e);
                for (StackTraceElement frame : e.getStackTrace()) {
                    told.append("\n        at ").append(frame);
                }
            }
            complaints.add(told.toString());
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
        for (int i = 0; i < 3; i++) {
            String number = "recovered " + i;
            String key = EACH_CONNECTION.get(i % EACH_CONNECTION.size());
            Thread caller = started("caller, " + number, () -> {
                if (!attempt(number, () -> isValue("", clients.patient.get(key)))) {
                    complaints.add("a command fails on a connection that works again");
                }
            });
            join(List.of(caller));
            if (!completes(number, clients.async.get(key))) {
                complaints.add("a future fails on a connection that works again");
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

    private void endWithCommandsInFlight(ConnectionGroup group, ByKey connections, Views clients) {
        proxy.swallow(true);
        List<CompletableFuture<?>> futures = List.of(clients.async.get("k1"), clients.async.get("k2"));
        Thread caller = started(
                "caller at the end", () -> attempt("get at the end", () -> isValue("", clients.patient.get("k"))));
        awaitTrue("in flight before the end", () -> connections.inFlight() >= 3);
        watchForSpinning("the server is silent");
        if (completes(HASTILY + "from a silent server", clients.hastyAsync.get("k3"))) {
            complaints.add("a silent server has answered");
        }
        FaultPoints.begin(FaultPoints.Phase.CLOSE);
        try {
            group.close();
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), "close", e);
        }
        closeHits = FaultPoints.end();
        group.close();
        join(List.of(caller));
        futures.forEach(future -> completes("future at the end", future));
        join(List.of(started(
                "caller after the end",
                () -> attempt("get after the end", () -> isValue("", clients.patient.get("k"))))));
    }

    // What the threads do.

    /** What the threads do now, and how much of a core each takes. Told once, with the first thing that is wrong. */
    private String ownThreads() {
        if (!complaints.isEmpty()) {
            return "";
        }
        List<Thread> own = Thread.getAllStackTraces().keySet().stream() // They are described only.
                .filter(thread -> thread.getName().matches("(memshard|caller|futures).*"))
                .toList();
        long[] before = own.stream()
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getId()))
                .toArray();
        LockSupport.parkNanos(IDLE_NANOS);
        StringBuilder told = new StringBuilder();
        for (int i = 0; i < before.length; i++) {
            Thread thread = own.get(i);
            long nanos = THREADS.getThreadCpuTime(thread.getId()) - before[i];
            told.append("\n      " + thread.getName() + ", " + thread.getState() + ", " + 100 * nanos / IDLE_NANOS
                    + " % CPU");
            for (StackTraceElement frame : thread.getStackTrace()) {
                told.append("\n        at ").append(frame);
            }
        }
        return told.toString();
    }
}
