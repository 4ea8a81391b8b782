// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import java.time.Duration;

/**
 * Views of a client over the same connections, for both kinds of clients.
 *
 * @param <C> type of the client
 */
abstract class SenderViews<V, C> {

    final Calls calls;
    final ClientCommands<V> commands;

    SenderViews(Calls calls, ClientCommands<V> commands) {
        this.calls = calls;
        this.commands = commands;
    }

    abstract C view(Calls otherCalls, ClientCommands<V> otherCommands);

    public C withTimeout(Duration timeout) {
        return view(calls.withTimeout(timeout), commands);
    }

    public C withFailurePolicy(FailurePolicy policy) {
        return view(calls.withFailurePolicy(policy), commands);
    }

    public C withServerDown(ServerDownPolicy policy) {
        return view(calls.withServerDown(policy), commands);
    }

    public C withRoutingKey(String routingKey) {
        return view(calls.withRoutingKey(commands.routingKey(routingKey)), commands);
    }

    public C withKeyPrefix(String prefix) {
        return view(calls, commands.withKeys(commands.keys().withPrefix(prefix)));
    }

    public C withHashedKeys() {
        return view(calls, commands.withKeys(commands.keys().hashing()));
    }
}
