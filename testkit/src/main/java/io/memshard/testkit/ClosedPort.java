// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Loopback port that refuses every connection until this object is closed. The port is bound without a listener, so the
 * system gives the port to no other process. On Linux, a program that requests this port and sets {@code SO_REUSEADDR}
 * can still listen on the port.
 *
 * <p>Threading: thread-safe.
 */
public final class ClosedPort implements AutoCloseable {

    private final Socket holder = new Socket();

    public ClosedPort() {
        this(0);
    }

    /** Reserves this port, or any free port if {@code port} is 0. */
    public ClosedPort(int port) {
        try {
            holder.setReuseAddress(true);
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot reserve port " + port, e);
        }
    }

    public int port() {
        return holder.getLocalPort();
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
    }

    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot free port " + port(), e);
        }
    }
}
