// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
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
         * Returns the server that a call goes to; null if the call goes to several servers.
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

    Call of(Command<?> command) {
        return of(command.operation(), command.key(), command.keyCount());
    }

    /** Returns a call of several commands. {@code key} is null for a call with many keys. */
    Call of(String operation, @Nullable String key, int keys) {
        return new Call(operation, hidesKeys ? null : key, keys, servers.of(key));
    }
}
