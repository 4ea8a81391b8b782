// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observation of a client's calls. The observer sees each call as a whole, including second attempts, parts and steps.
 *
 * <p>Threading: immutable.
 *
 * @param observer wrapper of the calls
 * @param servers finder of a call's server
 * @param hidesKeys whether keys are withheld from the observer
 */
public record CallObservation(CallObserver observer, Servers servers, boolean hidesKeys) {

    /** Finder of a call's server. */
    @FunctionalInterface
    public interface Servers {

        /**
         * Returns the server that a call goes to; null if the call goes to several.
         *
         * @param key the key as it is stored; null for a call with no key or many keys
         */
        @Nullable
        ServerAddress of(@Nullable String key);
    }

    /** Returns the observation of calls by {@code listener}; null if the listener is null or observes no calls. */
    public static @Nullable CallObservation by(
            @Nullable ConnectionListener listener, Servers servers, boolean hidesKeys) {
        CallObserver observer = listener == null ? null : listener.callObserver();
        return observer == null ? null : new CallObservation(observer, servers, hidesKeys);
    }

    /** Returns the same observation for calls that all go to the server of the key {@code stored}. */
    CallObservation withRoutingKey(String stored) {
        return new CallObservation(observer, any -> servers.of(stored), hidesKeys);
    }

    /** Runs a blocking call of one command. */
    public <T> T call(CommandSender sender, Command<T> command, long timeoutNanos) {
        return observer.call(callOf(command), () -> sender.call(command, timeoutNanos));
    }

    <T> CompletableFuture<T> start(Command<T> command, Supplier<CompletableFuture<T>> body) {
        return observer.start(callOf(command), body);
    }

    /** Runs a blocking call of several commands. {@code key} is null for a call with many keys. */
    <T extends @Nullable Object> T call(String operation, @Nullable String key, int keys, Supplier<T> body) {
        return observer.call(callOf(operation, key, keys), body);
    }

    /** Starts an asynchronous call of several commands. {@code key} is null for a call with many keys. */
    <T extends @Nullable Object> CompletableFuture<T> start(
            String operation, @Nullable String key, int keys, Supplier<CompletableFuture<T>> body) {
        return observer.start(callOf(operation, key, keys), body);
    }

    private Call callOf(Command<?> command) {
        return callOf(command.operation(), command.key(), command.keyCount());
    }

    private Call callOf(String operation, @Nullable String key, int keys) {
        return new Call(operation, hidesKeys ? null : key, keys, servers.of(key));
    }
}
