// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.EjectingSender;
import io.memshard.client.sender.PolicySender;
import io.memshard.client.sender.RoutingSender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a client, which share a sender of commands, a failure policy and an observer.
 *
 * <p>Threading: immutable.
 */
public final class Calls {

    private final CommandSender plainSender;

    private final FailurePolicy failurePolicy;

    private final CommandSender sender;

    private final @Nullable CallObservation observation;
    private final LongUnaryOperator times;

    private Calls(
            CommandSender plainSender,
            FailurePolicy failurePolicy,
            @Nullable CallObservation observation,
            LongUnaryOperator times) {
        this.plainSender = plainSender;
        this.failurePolicy = Objects.requireNonNull(failurePolicy, "policy is null");
        this.sender = PolicySender.around(plainSender, failurePolicy);
        this.observation = observation;
        this.times = times;
    }

    public Calls(CommandSender sender, @Nullable CallObservation observation) {
        this(sender, observation, LongUnaryOperator.identity());
    }

    /** Creates calls that fail fast. {@code times} converts a timeout to the time limit of a call, in nanoseconds. */
    public Calls(CommandSender sender, @Nullable CallObservation observation, LongUnaryOperator times) {
        this(sender, FailurePolicy.FAIL_FAST, observation, times);
    }

    public Calls withFailurePolicy(FailurePolicy other) {
        return new Calls(plainSender, other, observation, times);
    }

    /**
     * Returns the same calls with another policy for commands whose server is ejected; these calls if this client never
     * ejects servers.
     */
    public Calls withServerDown(ServerDownPolicy policy) {
        return plainSender instanceof EjectingSender ejecting
                ? new Calls(ejecting.withServerDown(policy), failurePolicy, observation, times)
                : this;
    }

    /** Returns calls that all go to the server of {@code stored}, a key in stored form. */
    public Calls withRoutingKey(String stored) {
        return new Calls(
                RoutingSender.routedBy(stored, plainSender),
                failurePolicy,
                observation == null ? null : observation.withRoutingKey(stored),
                times);
    }

    /** Returns the sender of the commands, under the failure policy. */
    public CommandSender sender() {
        return sender;
    }

    public CommandSender plainSender() {
        return plainSender;
    }

    public FailurePolicy failurePolicy() {
        return failurePolicy;
    }

    /** Returns the time limit of a call that begins now and has this timeout. */
    public long nanos(long timeoutNanos) {
        return times.applyAsLong(timeoutNanos);
    }

    public Duration time(Duration timeout) {
        long timeoutNanos = timeout.toNanos();
        long nanos = nanos(timeoutNanos);
        return nanos == timeoutNanos ? timeout : Duration.ofNanos(nanos);
    }

    public <T> T call(Command<T> command, long timeoutNanos) {
        long nanos = nanos(timeoutNanos);
        return observation == null
                ? sender.call(command, nanos)
                : observation.observer().call(observation.of(command), () -> sender.call(command, nanos));
    }

    public <T> CompletableFuture<T> send(Command<T> command, Duration timeout) {
        Duration time = time(timeout);
        return observation == null
                ? sender.send(command).toFuture(time)
                : observation
                        .observer()
                        .start(
                                observation.of(command),
                                () -> sender.send(command).toFuture(time));
    }

    /** Makes a blocking call of several commands, which {@code body} sends; {@code key} is null for many keys. */
    public <T extends @Nullable Object> T call(String operation, @Nullable String key, int keys, Supplier<T> body) {
        return observation == null
                ? body.get()
                : observation.observer().call(observation.of(operation, key, keys), body);
    }

    /** Makes an asynchronous call of several commands, which {@code body} sends; {@code key} is null for many keys. */
    public <T extends @Nullable Object> CompletableFuture<T> start(
            String operation, @Nullable String key, int keys, Supplier<CompletableFuture<T>> body) {
        return observation == null
                ? body.get()
                : observation.observer().start(observation.of(operation, key, keys), body);
    }
}
