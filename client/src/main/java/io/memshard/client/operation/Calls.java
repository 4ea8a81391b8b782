// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.PolicySender;
import io.memshard.client.sender.RoutingSender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

public final class Calls {

    /** Observer of calls. {@code servers} returns the server of a key, and null for several servers or several keys. */
    public record Observation(
            CallObserver observer, Function<@Nullable String, @Nullable ServerAddress> servers, boolean hidesKeys) {

        public static @Nullable Observation by(
                @Nullable ConnectionListener listener,
                Function<@Nullable String, @Nullable ServerAddress> servers,
                boolean hidesKeys) {
            CallObserver observer = listener == null ? null : listener.callObserver();
            return observer == null ? null : new Observation(observer, servers, hidesKeys);
        }

        Observation withRoutingKey(String stored) {
            return new Observation(observer, any -> servers.apply(stored), hidesKeys);
        }

        Call of(String operation, @Nullable String key, int keys) {
            return new Call(operation, hidesKeys ? null : key, keys, servers.apply(key));
        }
    }

    final CommandSender plainSender;
    final CommandSender sender;
    final FailurePolicy failurePolicy;
    final Duration timeout;
    private final long timeoutNanos;
    private final @Nullable Observation observation;
    private final LongUnaryOperator times;

    /** Written by any thread without synchronization: after {@code false}, a call only asks {@link #times} again. */
    private boolean hasConnected;

    /** Uses {@code times} to convert the timeout to a call's time limit, in nanoseconds, until both are equal. */
    public Calls(
            CommandSender plainSender,
            FailurePolicy failurePolicy,
            Duration timeout,
            @Nullable Observation observation,
            LongUnaryOperator times) {
        this.plainSender = plainSender;
        this.failurePolicy = Objects.requireNonNull(failurePolicy, "policy is null");
        this.sender = PolicySender.around(plainSender, failurePolicy);
        this.timeout = Timeouts.check("requestTimeout", timeout);
        this.timeoutNanos = timeout.toNanos();
        this.observation = observation;
        this.times = times;
    }

    Calls withTimeout(Duration other) {
        Timeouts.check("timeout", other);
        return new Calls(plainSender, failurePolicy, other, observation, times);
    }

    public Calls withFailurePolicy(FailurePolicy other) {
        return new Calls(plainSender, other, timeout, observation, times);
    }

    Calls withServerDown(ServerDownPolicy policy) {
        return plainSender instanceof RoutingSender servers
                ? new Calls(servers.withServerDown(policy), failurePolicy, timeout, observation, times)
                : this;
    }

    Calls withRoutingKey(String stored) {
        return new Calls(
                RoutingSender.routedBy(stored, plainSender),
                failurePolicy,
                timeout,
                observation == null ? null : observation.withRoutingKey(stored),
                times);
    }

    /** Returns the time limit of a call that begins now. */
    long nanos() {
        if (hasConnected) {
            return timeoutNanos;
        }
        long nanos = times.applyAsLong(timeoutNanos);
        hasConnected = nanos == timeoutNanos;
        return nanos;
    }

    <T> T call(Command<T> command) {
        return call(command, nanos());
    }

    <T> T call(Command<T> command, long nanos) {
        return observation == null
                ? sender.call(command, nanos)
                : call(command.operation(), command.key(), command.keyCount(), () -> sender.call(command, nanos));
    }

    <T> CompletableFuture<T> send(Command<T> command) {
        return send(command, nanos(), false);
    }

    <T> CompletableFuture<T> send(Command<T> command, long nanos, boolean isBlocking) {
        if (isBlocking) {
            return completed(() -> call(command, nanos));
        }
        return observation == null
                ? sendPart(command, nanos, false)
                : start(command.operation(), command.key(), command.keyCount(), () -> sendPart(command, nanos, false));
    }

    /** Sends one command of a call whose observer sees only the whole call. */
    <T> CompletableFuture<T> sendPart(Command<T> command, long nanos, boolean isBlocking) {
        if (isBlocking) {
            return completed(() -> sender.call(command, nanos));
        }
        Duration time = nanos == timeoutNanos ? timeout : Duration.ofNanos(Math.max(1, nanos));
        return sender.send(command).toFuture(time);
    }

    private static <T> CompletableFuture<T> completed(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    <T extends @Nullable Object> T call(String operation, @Nullable String key, int keys, Supplier<T> body) {
        return observation == null
                ? body.get()
                : observation.observer().call(observation.of(operation, key, keys), body);
    }

    <T extends @Nullable Object> CompletableFuture<T> start(
            String operation, @Nullable String key, int keys, Supplier<CompletableFuture<T>> body) {
        return observation == null
                ? body.get()
                : observation.observer().start(observation.of(operation, key, keys), body);
    }
}
