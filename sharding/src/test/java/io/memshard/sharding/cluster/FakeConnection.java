// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.connection.Connection;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection that keeps the commands it was sent. Confined to the test's thread. */
final class FakeConnection implements Connection {

    final List<Command<?>> sent = new ArrayList<>();
    ConnectionState state = ConnectionState.READY;

    /** Takes what platform threads await, where that is another socket. */
    Connection ofPlatformThreads = this;

    private final int index;

    FakeConnection(int index) {
        this.index = index;
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        sent.add(command);
        throw new UnsupportedOperationException("sent to " + index);
    }

    @Override
    public boolean isReady() {
        return state.compareTo(ConnectionState.READY) <= 0;
    }

    @Override
    public Connection ofPlatformThreads() {
        return ofPlatformThreads;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        throw new UnsupportedOperationException("no timer");
    }

    @Override
    public int inFlight() {
        return sent.size();
    }

    @Override
    public long bytesInFlight() {
        return 0;
    }

    @Override
    public ConnectionState state() {
        return state;
    }

    @Override
    public ServerAddress server() {
        return new ServerAddress("fake", 1);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public void open() {
        state = ConnectionState.READY;
    }

    @Override
    public void retire(Duration drainTimeout) {
        close();
    }

    @Override
    public void close() {
        state = ConnectionState.CLOSED;
    }
}
