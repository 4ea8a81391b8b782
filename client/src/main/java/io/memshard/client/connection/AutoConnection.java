// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.VirtualThreads;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.Phase;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Pair of connections to one server that acts as one connection. Platform threads that block use the first connection,
 * and do its I/O. All other callers use the second connection, which has an event loop and may belong to several pairs.
 * Threading: thread-safe.
 */
final class AutoConnection implements Connection {

    private final Connection callerDriven;
    private final Connection eventLoop;

    AutoConnection(Connection callerDriven, Connection eventLoop) {
        this.callerDriven = callerDriven;
        this.eventLoop = eventLoop;
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        return (mode.isAwaited() ? blocking() : eventLoop).send(command, mode);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return blocking().call(command, timeoutNanos);
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return eventLoop.pause(nanos);
    }

    private Connection blocking() {
        return VirtualThreads.isCurrent() ? eventLoop : callerDriven;
    }

    @Override
    public boolean isReady() {
        return callerDriven.isReady() && eventLoop.isReady();
    }

    @Override
    public Connection ofPlatformThreads() {
        return callerDriven;
    }

    @Override
    public Connection ofOtherCallers() {
        return eventLoop;
    }

    @Override
    public int inFlight() {
        return callerDriven.inFlight() + eventLoop.inFlight();
    }

    @Override
    public long bytesInFlight() {
        return callerDriven.bytesInFlight() + eventLoop.bytesInFlight();
    }

    @Override
    public ConnectionState state() {
        ConnectionState one = callerDriven.state();
        ConnectionState other = eventLoop.state();
        return one.compareTo(other) >= 0 ? one : other;
    }

    @Override
    public ServerAddress server() {
        return callerDriven.server();
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return callerDriven.context(verb, key, phase);
    }

    @Override
    public int index() {
        return callerDriven.index();
    }

    @Override
    public void open() {
        callerDriven.open();
        eventLoop.open();
    }

    @Override
    public void retire(Duration drainTimeout) {
        callerDriven.retire(drainTimeout);
        eventLoop.retire(drainTimeout);
    }

    @Override
    public void close() {
        callerDriven.close();
        eventLoop.close();
    }

    @Override
    public String toString() {
        return callerDriven + ", " + eventLoop;
    }
}
