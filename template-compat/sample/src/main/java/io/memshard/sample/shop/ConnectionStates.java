// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Thread-safe listener that tracks the connections of a shop and the states of its servers. */
final class ConnectionStates implements ConnectionListener {

    private final Set<ConnectionStatus> connections = ConcurrentHashMap.newKeySet();

    /** For each server address, the number of clients that report each state. Guarded by this map's monitor. */
    private final Map<String, Map<ServerState, Integer>> views = new HashMap<>();

    private final Map<String, Map<ServerState, Instant>> changes = new ConcurrentHashMap<>();

    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        if (to == ConnectionState.CLOSED) {
            connections.remove(connection);
        } else {
            connections.add(connection);
        }
    }

    @Override
    public void serverStateChanged(ServerStatus before, ServerStatus now) {
        String address = before.server().toString();
        synchronized (views) {
            Map<ServerState, Integer> view = views.computeIfAbsent(address, any -> new EnumMap<>(ServerState.class));
            view.merge(before.state(), -1, Integer::sum);
            view.merge(now.state(), 1, Integer::sum);
        }
        changes.computeIfAbsent(address, any -> new ConcurrentHashMap<>()).put(now.state(), now.since());
        String reason = now.reason();
        reasons.put(address, now.state() == ServerState.UP || reason == null ? "" : reason);
    }

    ServerState stateOf(String address) {
        synchronized (views) {
            Map<ServerState, Integer> view = views.getOrDefault(address, Map.of());
            if (view.getOrDefault(ServerState.EJECTED, 0) > 0) {
                return ServerState.EJECTED;
            }
            return view.getOrDefault(ServerState.PROBING, 0) > 0 ? ServerState.PROBING : ServerState.UP;
        }
    }

    @Nullable
    Instant changeOf(String address, ServerState state, Instant after) {
        Instant change = changes.getOrDefault(address, Map.of()).get(state);
        return change != null && change.isAfter(after) ? change : null;
    }

    String reasonOf(String address) {
        return reasons.getOrDefault(address, "");
    }

    List<ConnectionStatus> connectionsTo(String address) {
        List<ConnectionStatus> found = new ArrayList<>();
        for (ConnectionStatus connection : connections) {
            if (connection.server().toString().equals(address)) {
                found.add(connection);
            }
        }
        found.sort(Comparator.comparingInt(ConnectionStatus::index)
                .thenComparing(connection -> String.valueOf(connection.socket())));
        return found;
    }
}
