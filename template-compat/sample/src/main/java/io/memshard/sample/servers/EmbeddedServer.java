// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

import io.memshard.testkit.EmbeddedMemcached;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Memcached inside this JVM, with which it shares the processors. */
final class EmbeddedServer implements SampleServer {

    private final String host;
    private final int port;
    private @Nullable EmbeddedMemcached running;

    /** Holds the port while the server is stopped: bound, so that no other process gets it, and not listening. */
    private @Nullable Socket held;

    EmbeddedServer() {
        EmbeddedMemcached started = EmbeddedMemcached.start();
        this.running = started;
        this.host = started.host();
        this.port = started.port();
    }

    @Override
    public String address() {
        return host + ":" + port;
    }

    @Override
    public String description() {
        return "embedded in this JVM";
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    @Override
    public synchronized void stop() {
        EmbeddedMemcached current = running;
        if (current != null) {
            current.close();
            running = null;
            held = hold();
        }
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            release();
            running = EmbeddedMemcached.builder().port(port).start();
        }
    }

    private @Nullable Socket hold() {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return socket;
        } catch (IOException e) {
            return null; // A start may then fail, and says why.
        }
    }

    private void release() {
        try {
            if (held != null) {
                held.close();
            }
            held = null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot free port " + port, e);
        }
    }

    @Override
    public synchronized void close() {
        stop();
        release();
    }
}
