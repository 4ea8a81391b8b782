// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.listener;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.ServerAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

record ListenerPair(ConnectionListener first, ConnectionListener second) implements ConnectionListener {

    @Override
    public void commandEnded(CommandEnd end) {
        both(each -> each.commandEnded(end));
    }

    @Override
    public @Nullable CallObserver callObserver() {
        CallObserver observer = first.callObserver();
        return observer == null ? second.callObserver() : observer;
    }

    @Override
    public void stateChanged(
            ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        both(each -> each.stateChanged(connection, from, to, cause));
    }

    @Override
    public void zonesEnded(ZoneOutcome outcome) {
        both(each -> each.zonesEnded(outcome));
    }

    @Override
    public void zoneFailedLater(String zone, String operation, MemcachedException failure) {
        both(each -> each.zoneFailedLater(zone, operation, failure));
    }

    @Override
    public void discovered(String source, int servers) {
        both(each -> each.discovered(source, servers));
    }

    @Override
    public void serverLeft(ServerAddress server) {
        both(each -> each.serverLeft(server));
    }

    @Override
    public void serverStateChanged(ServerStatus before, ServerStatus now) {
        both(each -> each.serverStateChanged(before, now));
    }

    private void both(Consumer<ConnectionListener> event) {
        try {
            event.accept(first);
        } finally {
            event.accept(second);
        }
    }
}
