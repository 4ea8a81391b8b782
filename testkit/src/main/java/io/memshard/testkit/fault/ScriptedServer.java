// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import static io.memshard.testkit.Eventually.eventually;

import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TCP server on the loopback address that plays a script on each connection, to simulate any misbehaviour of a server.
 *
 * <pre>{@code
 * try (ScriptedServer server = ScriptedServer.start()) {
 *     server.onConnection(c -> c.expectLine("mg a v").send("VA 2\r\nab").stall());
 *     ... // run the client against server.address()
 *     server.verify();
 * }
 * }</pre>
 *
 * <p>The n-th connection gets the n-th script given to {@link #onConnection}; the last script also serves all later
 * connections. If no script was given, connections get no answers. After a script has returned, its connection stays
 * open. The server then reads without answering until the client closes the connection or the server is closed. To
 * close the connection, end the script with {@code cut()}.
 *
 * <p>Threading: thread-safe; each connection is played on a separate daemon thread. Failure: a failed expectation, or
 * an exception in a script, closes the script's connection. {@link #verify()} and {@link #close()} then throw an {@link
 * AssertionError}, so that the test fails.
 */
public final class ScriptedServer implements AutoCloseable {

    @FunctionalInterface
    public interface Script {

        /** Plays the script, on the thread of the connection. */
        void play(ScriptedConnection connection) throws IOException, InterruptedException;
    }

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration DEFAULT_EXPECT_TIMEOUT = Duration.ofSeconds(60);

    /** Maximum number of waits of 1 ms for scripts. A deadline would pass while the JVM is suspended. */
    private static final int PAUSES = 1_000;

    private static final int BACKLOG = 1024;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        return thread;
    });

    // This object guards all of the following fields.
    private final List<Script> scripts = new ArrayList<>();
    private final List<ScriptedConnection> connections = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private Duration expectTimeout = DEFAULT_EXPECT_TIMEOUT;
    private ServerSocket listener;
    private CompletableFuture<Void> acceptor;
    private @Nullable ClosedPort reservedPort;
    private boolean closed;

    private final int port;

    private final ServerSocketFactory sockets;

    private ScriptedServer(ServerSocketFactory sockets) {
        this.sockets = sockets;
        listener = listen(0);
        port = listener.getLocalPort();
        acceptor = accepting(listener);
    }

    public static ScriptedServer start() {
        return new ScriptedServer(ServerSocketFactory.getDefault());
    }

    /**
     * Starts a server with TLS on a free port. Each {@code send} makes at least one TLS record, and several if the data
     * is longer than a record. A failed TLS handshake counts as a failure of the script.
     */
    public static ScriptedServer start(SSLContext tls) {
        return new ScriptedServer(tls.getServerSocketFactory());
    }

    /** Adds a script for the next connection that has no script. */
    public synchronized ScriptedServer onConnection(Script script) {
        scripts.add(Objects.requireNonNull(script, "script is null"));
        return this;
    }

    /** Limits each wait for bytes from the client; by default to 60 seconds. */
    public synchronized ScriptedServer expectTimeout(Duration timeout) {
        expectTimeout = timeout;
        return this;
    }

    public String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /** Returns the port. {@link #stopAccepting()} does not change the port. */
    public int port() {
        return port;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Returns the number of connections accepted so far, including closed connections. */
    public synchronized int connections() {
        return connections.size();
    }

    /** Returns the number of connections for which {@link ScriptedConnection#isOpen()} returns true. */
    public synchronized int openConnections() {
        return (int) connections.stream().filter(ScriptedConnection::isOpen).count();
    }

    /**
     * Waits until the connection with this index, from 0, is accepted. Throws an {@link AssertionError} if the wait
     * takes longer than {@code timeout}.
     */
    public ScriptedConnection awaitConnection(int index, Duration timeout) {
        eventually("connection " + index + " is opened", timeout, () -> connections() > index);
        synchronized (this) {
            return connections.get(index);
        }
    }

    /** Refuses new connections. Accepted connections stay open, and the port stays reserved. */
    public ScriptedServer stopAccepting() {
        CompletableFuture<Void> accepting;
        synchronized (this) {
            closeQuietly(listener);
            accepting = acceptor;
        }
        // A closed listener continues to listen until the thread that accepts has left the system call.
        accepting.join();
        synchronized (this) {
            reservedPort = reservedPort == null ? new ClosedPort(port) : reservedPort;
        }
        return this;
    }

    public synchronized ScriptedServer resumeAccepting() {
        if (listener.isClosed()) {
            closeQuietly(reservedPort);
            reservedPort = null;
            listener = listen(port);
            acceptor = accepting(listener);
        }
        return this;
    }

    /**
     * Waits at most about a second for scripts that still expect data. If a script failed, throws an {@link
     * AssertionError}. The cause of the error is the first failure; failures of other scripts are suppressed
     * exceptions.
     */
    public void verify() {
        awaitScripts();
        throwFailures();
    }

    private void awaitScripts() {
        for (int pause = 0; pause < PAUSES && !expectsNothing(); pause++) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private synchronized boolean expectsNothing() {
        return connections.stream().allMatch(ScriptedConnection::expectsNothing);
    }

    private synchronized void throwFailures() {
        if (!failures.isEmpty()) {
            AssertionError error =
                    new AssertionError("a script failed: " + failures.get(0).getMessage(), failures.get(0));
            failures.stream().skip(1).forEach(error::addSuppressed);
            failures.clear();
            throw error;
        }
    }

    /**
     * Closes the listener and every connection, and stops the threads. If a script failed, throws the same error as
     * {@link #verify()}. A script that still expects data then counts as failed.
     */
    @Override
    public void close() {
        awaitScripts();
        synchronized (this) {
            closed = true;
            closeQuietly(listener);
            closeQuietly(reservedPort);
            connections.forEach(ScriptedConnection::closeByServer);
        }
        threads.shutdownNow(); // A script may wait for something that will never come.
        Eventually.holdsWithin(JOIN_TIMEOUT, threads::isTerminated);
        throwFailures();
    }

    private ServerSocket listen(int port) {
        ServerSocket socket = null;
        try {
            socket = sockets.createServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            return socket;
        } catch (IOException e) {
            closeQuietly(socket);
            throw new UncheckedIOException("cannot listen on port " + port, e);
        }
    }

    private CompletableFuture<Void> accepting(ServerSocket socket) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        while (true) {
                            accepted(socket.accept());
                        }
                    } catch (IOException e) {
                        // The listener is closed.
                    }
                },
                threads);
    }

    private synchronized void accepted(Socket socket) {
        if (closed) {
            closeQuietly(socket);
            return;
        }
        int index = connections.size();
        ScriptedConnection connection = new ScriptedConnection(socket, index, expectTimeout);
        connections.add(connection);
        Script script = scripts.isEmpty() ? c -> {} : scripts.get(Math.min(index, scripts.size() - 1));
        threads.execute(() -> play(script, connection));
    }

    private void play(Script script, ScriptedConnection connection) {
        try {
            script.play(connection);
            connection.readToEnd();
        } catch (InterruptedException e) {
            // The server is being closed.
        } catch (IOException | UncheckedIOException e) {
            if (!connection.isClosedByServer()) {
                recordFailure(e);
            }
        } catch (RuntimeException | Error e) {
            recordFailure(e);
        } finally {
            connection.closeByServer();
        }
    }

    private synchronized void recordFailure(Throwable failure) {
        failures.add(failure);
    }

    private static void closeQuietly(@Nullable AutoCloseable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (Exception e) {
            // The resource is closed or unusable either way.
        }
    }
}
