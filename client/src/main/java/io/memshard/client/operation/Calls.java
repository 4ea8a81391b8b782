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
 * Maker of a client's calls, with one sender of commands, one policy for their failures, and one observer.
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

    /**
     * Creates a maker of calls over a sender. The time limit of a call is its timeout. Failures of the sender are
     * thrown.
     */
    public Calls(CommandSender sender, @Nullable CallObservation observation) {
        this(sender, observation, LongUnaryOperator.identity());
    }

    /** Same, but {@code times} converts the timeout of a call to its time limit, in nanoseconds. */
    public Calls(CommandSender sender, @Nullable CallObservation observation, LongUnaryOperator times) {
        this(sender, FailurePolicy.FAIL_FAST, observation, times);
    }

    /** Returns the same calls under another failure policy. */
    public Calls withFailurePolicy(FailurePolicy other) {
        return new Calls(plainSender, other, observation, times);
    }

    /**
     * Returns the same calls with another policy for commands whose server is ejected. If this client never ejects
     * servers, returns these calls unchanged.
     *
     * @throws IllegalArgumentException if the policy needs gutter servers and none were set
     */
    public Calls withServerDown(ServerDownPolicy policy) {
        return plainSender instanceof EjectingSender ejecting
                ? new Calls(ejecting.withServerDown(policy), failurePolicy, observation, times)
                : this;
    }

    /**
     * Returns the same calls, but all of them go to the server of one key.
     *
     * @param stored the key as it is stored
     */
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

    /**
     * Returns the sender of the commands without a failure policy; {@link #withFailurePolicy} does not change this
     * sender.
     */
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

    /** Same as {@link #nanos}. */
    public Duration time(Duration timeout) {
        long timeoutNanos = timeout.toNanos();
        long nanos = nanos(timeoutNanos);
        return nanos == timeoutNanos ? timeout : Duration.ofNanos(nanos);
    }

    /** Makes a blocking call of one command. */
    public <T> T call(Command<T> command, long timeoutNanos) {
        long nanos = nanos(timeoutNanos);
        return observation == null
                ? sender.call(command, nanos)
                : observation.observer().call(observation.of(command), () -> sender.call(command, nanos));
    }

    /** Makes an asynchronous call of one command. */
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

    /**
     * Makes a blocking call of several commands.
     *
     * @param key the key; null for a call with many keys
     * @param body supplier of the result, which sends the commands by {@link #sender}
     */
    public <T extends @Nullable Object> T call(String operation, @Nullable String key, int keys, Supplier<T> body) {
        return observation == null
                ? body.get()
                : observation.observer().call(observation.of(operation, key, keys), body);
    }

    /**
     * Makes an asynchronous call of several commands.
     *
     * @param key the key; null for a call with many keys
     * @param body supplier of the future, which sends the commands by {@link #sender}
     */
    public <T extends @Nullable Object> CompletableFuture<T> start(
            String operation, @Nullable String key, int keys, Supplier<CompletableFuture<T>> body) {
        return observation == null
                ? body.get()
                : observation.observer().start(observation.of(operation, key, keys), body);
    }
}
