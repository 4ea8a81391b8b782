// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Port of the loopback interface that refuses every connection until it is closed. It is bound and never listens, so no
 * other process is given the port meanwhile. On Linux a program that names it can listen on it all the same, if it sets
 * {@code SO_REUSEADDR}.
 *
 * <p>{@code Threading}: thread-safe.
 */
public final class ClosedPort implements AutoCloseable {

    private final Socket holder = new Socket();

    /** Takes a free port. */
    public ClosedPort() {
        this(0);
    }

    /** Takes the port that a server had; 0 stands for a free one. */
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
