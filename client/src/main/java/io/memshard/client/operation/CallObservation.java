// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

public record CallObservation(CallObserver observer, Servers servers, boolean hidesKeys) {

    @FunctionalInterface
    public interface Servers {

        /** Returns the server of {@code key}; null for several servers or several keys. */
        @Nullable
        ServerAddress of(@Nullable String key);
    }

    public static @Nullable CallObservation by(
            @Nullable ConnectionListener listener, Servers servers, boolean hidesKeys) {
        CallObserver observer = listener == null ? null : listener.callObserver();
        return observer == null ? null : new CallObservation(observer, servers, hidesKeys);
    }

    CallObservation withRoutingKey(String stored) {
        return new CallObservation(observer, any -> servers.of(stored), hidesKeys);
    }

    Call of(String operation, @Nullable String key, int keys) {
        return new Call(operation, hidesKeys ? null : key, keys, servers.of(key));
    }
}
