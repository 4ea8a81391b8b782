// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.options.ServerAddress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of a server, the reason for this state, and the time of the last change. Threading: immutable.
 *
 * @param server the server, as configured
 * @param state the server's state
 * @param reason the reason for the state, in words; null until the state first changes
 * @param since the time of the change to this state, by this machine's clock
 */
public record ServerStatus(
        ServerAddress server, ServerState state, @Nullable String reason, Instant since) {

    /** Returns text like {@code host:port EJECTED since 2026-01-01T00:00:00Z: 5 failures in a row, the last: ...}. */
    @Override
    public String toString() {
        return server + " " + state + " since " + since + (reason == null ? "" : ": " + reason);
    }
}
