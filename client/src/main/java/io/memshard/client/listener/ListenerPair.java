// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import org.jspecify.annotations.Nullable;

/** Pair of listeners, both of which receive every event. */
record ListenerPair(ConnectionListener first, ConnectionListener second) implements ConnectionListener {

    @Override
    public void commandEnded(CommandEnd end) {
        try {
            first.commandEnded(end);
        } finally {
            second.commandEnded(end);
        }
    }

    @Override
    public @Nullable CallObserver callObserver() {
        CallObserver outer = first.callObserver();
        CallObserver inner = second.callObserver();
        return outer == null ? inner : inner == null ? outer : outer.around(inner);
    }

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        try {
            first.stateChanged(connection, from, to, cause);
        } finally {
            second.stateChanged(connection, from, to, cause);
        }
    }

    @Override
    public void zonesEnded(ZoneOutcome outcome) {
        try {
            first.zonesEnded(outcome);
        } finally {
            second.zonesEnded(outcome);
        }
    }

    @Override
    public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
        try {
            first.zoneFailedLater(zone, operation, failure);
        } finally {
            second.zoneFailedLater(zone, operation, failure);
        }
    }

    @Override
    public void discovered(String source, int servers) {
        try {
            first.discovered(source, servers);
        } finally {
            second.discovered(source, servers);
        }
    }

    @Override
    public void serverLeft(ServerAddress server) {
        try {
            first.serverLeft(server);
        } finally {
            second.serverLeft(server);
        }
    }

    @Override
    public void serverStateChanged(ServerStatus before, ServerStatus now) {
        try {
            first.serverStateChanged(before, now);
        } finally {
            second.serverStateChanged(before, now);
        }
    }
}
