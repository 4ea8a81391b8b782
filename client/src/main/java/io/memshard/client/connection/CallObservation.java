// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has calls over a {@link CommandSender} observed, each as a whole: with its second attempts, parts and steps. Where
 * nobody observes, a call costs one look.
 *
 * <p>Threading: immutable.
 *
 * @param observer stands around the calls
 * @param server where they go; null for several servers
 * @param hidesKeys whether the observer gets no keys
 */
public record CallObservation(
        CallObserver observer, @Nullable ServerAddress server, boolean hidesKeys) {

    /** The same for calls to several servers. */
    public CallObservation ofSeveralServers() {
        return new CallObservation(observer, null, hidesKeys);
    }

    /** A blocking call of one command. */
    public static <T> T call(CommandSender sender, Command<T> command, long timeoutNanos) {
        CallObservation observation = sender.callObservation(command.key());
        return observation == null
                ? sender.call(command, timeoutNanos)
                : observation.observer.call(
                        observation.callOf(command.operation(), command.key(), command.keyCount()),
                        () -> sender.call(command, timeoutNanos));
    }

    /** An asynchronous call of one command. */
    public static <T> CompletableFuture<T> send(CommandSender sender, Command<T> command, Duration timeout) {
        CallObservation observation = sender.callObservation(command.key());
        return observation == null
                ? sender.send(command).toFuture(timeout)
                : observation.observer.start(
                        observation.callOf(command.operation(), command.key(), command.keyCount()),
                        () -> sender.send(command).toFuture(timeout));
    }

    /**
     * A blocking call of several commands.
     *
     * @param key the key; null for many
     */
    public static <T extends @Nullable Object> T call(
            CommandSender sender, String operation, @Nullable String key, int keys, Supplier<T> body) {
        CallObservation observation = sender.callObservation(key);
        return observation == null
                ? body.get()
                : observation.observer.call(observation.callOf(operation, key, keys), body);
    }

    /** An asynchronous call of several commands. */
    public static <T extends @Nullable Object> CompletableFuture<T> start(
            CommandSender sender,
            String operation,
            @Nullable String key,
            int keys,
            Supplier<CompletableFuture<T>> body) {
        CallObservation observation = sender.callObservation(key);
        return observation == null
                ? body.get()
                : observation.observer.start(observation.callOf(operation, key, keys), body);
    }

    private Call callOf(String operation, @Nullable String key, int keys) {
        return new Call(operation, hidesKeys ? null : key, keys, server);
    }
}
