// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Life of a client under Errors: several threads get, set and load, futures complete, calls give up, a thread is
 * interrupted, connections are lost, and the client is closed with commands in flight. The first fault is thrown.
 *
 * <p>A {@link FaultyClassLoader} loads this class together with the client.
 */
public final class Trial implements Runnable {

    /** Few enough for some to be refused. */
    private static final int MOST_IN_FLIGHT = 10;

    /** Lengths of the values that are set: in a command's own buffer, by reference, and through a borrowed buffer. */
    private static final List<Integer> VALUE_BYTES = List.of(20, 5 * 1024, 100 * 1024);

    private static final int MOST_VALUE_BYTES = 128 * 1024;

    /** Long enough for a caller to leave its end to the timer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration HASTY = Duration.ofNanos(200_000);

    /** Keys of which each of two connections has one. */
    private static final List<String> EACH_CONNECTION = List.of("k0", "k1");

    /** Time after which a future hangs. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final Duration ITEM_TTL = Duration.ofSeconds(1);

    /** A claim is lost with its connection, and ends soon enough for the callers that wait for it. */
    private static final LoadOptions LOADING = LoadOptions.DEFAULTS.withClaimTtl(Duration.ofSeconds(2));

    /** Average number of places that are reached between two Errors. */
    private static final int PLACES_PER_ERROR = 50_000;

    private static final int FEWEST_ERRORS = 50;

    /** Time for which Errors are thrown, and longer where they are too few by then. */
    private static final long ERRORS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long an idle client is watched, and how many places it may reach meanwhile. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private static final int IDLE_PASSES = 1_000;

    private final FaultProxy proxy;
    private final Transport transport;
    private final int size;
    private final Protocol protocol;
    private volatile boolean isOver;

    /**
     * Creates a trial to be run once.
     *
     * @param connections number of connections, each with some of the keys, as with several servers
     */
    public Trial(FaultProxy proxy, String transport, String protocol, int connections) {
        this.proxy = proxy;
        this.transport = Transport.valueOf(transport);
        this.protocol = Protocol.valueOf(protocol);
        size = connections;
    }

    /** Liveness and heartbeat are no help: the connection is to recover without them. */
    private ConnectionOptions options() {
        ConnectionOptions options = new ConnectionOptions();
        options.maxValueBytes = MOST_VALUE_BYTES;
        options.maxInFlight = MOST_IN_FLIGHT;
        options.connectTimeout = Duration.ofSeconds(1); // An attempt that fails is made again.
        options.livenessTimeout = Duration.ofMinutes(1);
        options.heartbeatInterval = Duration.ofMinutes(1);
        options.reconnectDelay = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));
        options.protocol = protocol;
        return options;
    }

    @Override
    public void run() {
        LeakCheck leaks = LeakCheck.start();
        // Twice, because the JVM never runs a failed initializer of a class again: the first life loads the classes.
        live(() -> {}, 0);
        live(() -> FaultPoints.throwAtOneIn(PLACES_PER_ERROR), FEWEST_ERRORS);
        leaks.assertNothingLeft();
    }

    private void live(Runnable errors, int fewest) {
        proxy.heal();
        try (ConnectionGroup group = new ConnectionGroup(options(), 1, new ConnectionListener() {})) {
            ServerAddress address = new ServerAddress(
                    proxy.address().getHostString(), proxy.address().getPort());
            ByKey connections = new ByKey(Stream.generate(() -> group.newConnection(address, 0, transport))
                    .limit(size)
                    .toList());
            MemcachedClient<String> client =
                    Clients.blocking(connections, Transcoder.utf8(), MOST_VALUE_BYTES, TIMEOUT);
            recovers(connections, client);
            callUnder(errors, fewest, client);
            recovers(connections, client);
            endWithCommandsInFlight(errors, group, connections, client);
        } finally {
            FaultPoints.stop();
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

    // Under load.

    /** Calls while Errors are thrown. In the middle of that time, every connection is lost. */
    private void callUnder(Runnable errors, int fewest, MemcachedClient<String> client) {
        long before = FaultPoints.thrown();
        isOver = false;
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (FailurePolicy policy : FailurePolicy.values()) {
            MemcachedClient<String> its = client.withFailurePolicy(policy);
            callers.add(started(() -> callUntilOver(i -> callBlocking(its, "caller-" + policy, i))));
        }
        AsyncMemcachedClient<String> async = client.async();
        callers.add(started(() -> callUntilOver(i -> callAsynchronously(async))));
        errors.run();
        LockSupport.parkNanos(ERRORS_NANOS / 2);
        proxy.cutAll();
        LockSupport.parkNanos(ERRORS_NANOS / 2);
        boolean enough = Eventually.holdsWithin(LONGEST, () -> FaultPoints.thrown() - before >= fewest);
        FaultPoints.stop();
        isOver = true;
        callers.forEach(Trial::join);
        assertThat(enough).as("enough Errors").isTrue();
    }

    private static CompletableFuture<Void> started(Runnable task) {
        return CompletableFuture.runAsync(task, run -> {
            Thread thread = new Thread(run, "caller");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Waits for a caller, whose calls have a limit of their own. */
    private static void join(CompletableFuture<Void> caller) {
        try {
            caller.get(5 * SOON_NANOS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("a caller hangs" + ownThreads(), e);
        }
    }

    private void callUntilOver(IntPredicate call) {
        for (int i = 0; !isOver; i++) {
            if (!call.test(i)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    /** One call, of a kind that changes; false if it does not succeed, which some are not meant to. */
    private boolean callBlocking(MemcachedClient<String> client, String key, int number) {
        switch (number % 8) {
            case 1:
                return attempt(() -> {
                    int length = VALUE_BYTES.get(Math.floorMod(key.hashCode() + number / 8, VALUE_BYTES.size()));
                    client.set(key, key + number + "x".repeat(length), TimeToLive.NEVER);
                    return true;
                });
            case 4:
                attempt(true, () -> isValue(key, client.withTimeout(HASTY).get(key)));
                return false;
            case 5:
                return !loads()
                        || attempt(() ->
                                isValue(key, client.getOrLoad(key + "-loaded", ITEM_TTL, Trial::loaded, LOADING)));
            case 6:
                List<String> many = List.of(key + "-1", key + "-2");
                return attempt(() -> client.multiGet(List.of("k0", "k1", "k2", "k3", "k4"))
                                .failures()
                                .isEmpty())
                        && (!loads()
                                || attempt(() -> client.multiGetOrLoad(many, ITEM_TTL, Trial::loadedAll, LOADING)
                                        .failures()
                                        .isEmpty()));
            case 7:
                Thread.currentThread().interrupt();
                attempt(() -> isValue(key, client.get(key)));
                Thread.interrupted();
                return false;
            default:
                return attempt(() -> isValue(key, client.get(key)));
        }
    }

    private boolean loads() {
        return protocol != Protocol.CLASSIC;
    }

    private static String loaded(String key) {
        return key + " was loaded";
    }

    private static Map<String, String> loadedAll(Set<String> missing) {
        return missing.stream().collect(Collectors.toMap(each -> each, Trial::loaded));
    }

    private static boolean isValue(String key, @Nullable String value) {
        if (value != null && !value.startsWith(key)) {
            throw new AssertionError("value of another key: " + value + " for " + key);
        }
        return true;
    }

    private boolean callAsynchronously(AsyncMemcachedClient<String> client) {
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String key = "future-" + i;
            attempt(() -> futures.add(client.get(key)));
            attempt(() -> futures.add(client.set(key, key, TimeToLive.NEVER)));
        }
        attempt(() -> futures.add(client.multiGet(List.of("k1", "k2", "k3"))));
        if (loads()) {
            attempt(() -> futures.add(client.getOrLoad(
                    "future-loaded", ITEM_TTL, key -> CompletableFuture.completedFuture(loaded(key)), LOADING)));
            attempt(() -> futures.add(client.multiGetOrLoad(
                    List.of("future-loaded-1", "future-loaded-2"),
                    ITEM_TTL,
                    missing -> CompletableFuture.completedFuture(loadedAll(missing)),
                    LOADING)));
        }
        boolean succeeded = futures.size() == (loads() ? 11 : 9);
        for (int i = 0; i < futures.size(); i++) {
            succeeded &= completes("future " + i, futures.get(i));
        }
        return succeeded;
    }

    private static boolean attempt(BooleanSupplier call) {
        return attempt(false, call);
    }

    /** The server answers, so only hasty calls may time out. */
    private static boolean attempt(boolean isHasty, BooleanSupplier call) {
        try {
            return call.getAsBoolean();
        } catch (MemcachedException e) {
            check(isHasty || !(e instanceof MemcachedTimeoutException), e);
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), e);
        }
        return false;
    }

    private static boolean completes(String what, CompletableFuture<?> future) {
        try {
            future.get(SOON_NANOS, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            boolean failed = e.getCause() instanceof MemcachedException;
            boolean timedOut = e.getCause() instanceof MemcachedTimeoutException;
            check((failed && !timedOut) || FaultPoints.isInjected(e), e);
            return false;
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError(what + " does not complete" + ownThreads(), e);
        } catch (Throwable e) {
            // An Error in the wait, which says nothing of the future.
            check(FaultPoints.isInjected(e), e);
            return completes(what, future);
        }
    }

    private static void check(boolean allowed, Throwable failure) {
        if (!allowed) {
            throw new AssertionError("not an Error of this test", failure);
        }
    }

    // Afterwards.

    private static void recovers(ByKey connections, MemcachedClient<String> client) {
        for (String key : EACH_CONNECTION) {
            join(started(() -> eventually("a call succeeds", () -> succeeds(() -> client.get(key)))));
            join(started(() -> eventually(
                    "a future succeeds",
                    () -> succeeds(() -> client.async().get(key).get()))));
        }
        for (String key : EACH_CONNECTION) {
            assertThat(attempt(() -> isValue("", client.get(key)))).as("works").isTrue();
            assertThat(completes("at last", client.async().get(key)))
                    .as("works")
                    .isTrue();
        }
        eventually("nothing in flight", () -> connections.inFlight() == 0);
        doesNotSpin("idle");
    }

    private static boolean succeeds(Callable<?> call) {
        try {
            call.call();
            return true;
        } catch (Throwable e) {
            Throwable failure = e instanceof ExecutionException ? e.getCause() : e;
            check(failure instanceof MemcachedConnectionException || FaultPoints.isInjected(e), e);
            return false;
        }
    }

    /** Waits for a short while in which few places are reached: a thread that spins does not stop. */
    private static void doesNotSpin(String state) {
        eventually("does not spin while " + state, () -> {
            long before = FaultPoints.passes();
            LockSupport.parkNanos(IDLE_NANOS);
            return FaultPoints.passes() - before < IDLE_PASSES;
        });
    }

    private void endWithCommandsInFlight(
            Runnable errors, ConnectionGroup group, ByKey connections, MemcachedClient<String> client) {
        proxy.swallow(true);
        List<CompletableFuture<?>> futures =
                List.of(client.async().get("k1"), client.async().get("k2"));
        CompletableFuture<Void> caller = started(() -> attempt(() -> isValue("", client.get("k"))));
        eventually("in flight before the end", () -> connections.inFlight() >= 3);
        doesNotSpin("the server is silent");
        errors.run();
        try {
            group.close();
        } catch (Throwable e) {
            check(FaultPoints.isInjected(e), e);
        }
        FaultPoints.stop();
        group.close();
        join(caller);
        futures.forEach(future -> completes("at the end", future));
        attempt(() -> isValue("", client.get("k")));
    }

    /** Returns what the client's threads and the callers do now. */
    private static String ownThreads() {
        StringBuilder stacks = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> { // They are described only.
            if (thread.getName().matches("(memshard|caller).*")) {
                stacks.append("\n      ").append(thread);
                Stream.of(frames)
                        .forEach(frame -> stacks.append("\n        at ").append(frame));
            }
        });
        return stacks.toString();
    }
}
