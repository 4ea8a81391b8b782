// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import org.jspecify.annotations.Nullable;

/**
 * Memcached that can be stopped and started under the same address, unless it ran already.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: {@link #start} and {@link #stop} throw {@link IllegalStateException} with the reason.
 */
public final class SampleServer implements AutoCloseable {

    private final String address;
    private final String whyNotStoppable;

    /** Server that this program started; null while an embedded one is stopped, and if the server ran already. */
    private @Nullable MemcachedServer started;

    private SampleServer(String address, @Nullable MemcachedServer started, String whyNotStoppable) {
        this.address = address;
        this.started = started;
        this.whyNotStoppable = whyNotStoppable;
    }

    static SampleServer of(MemcachedServer started) {
        return new SampleServer(started.host() + ':' + started.port(), started, "");
    }

    static SampleServer given(String address) {
        return new SampleServer(address, null, "the sample did not start it");
    }

    String address() {
        return address;
    }

    synchronized String description() {
        return !isStoppable()
                ? "given"
                : started instanceof MemcachedProcess process ? "process " + process.pid() : "embedded in this JVM";
    }

    private boolean isStoppable() {
        return whyNotStoppable.isEmpty();
    }

    /** Returns the reason why this program cannot stop the server; empty if it can. */
    String whyNotStoppable() {
        return whyNotStoppable;
    }

    /** Returns whether the server runs; true for a server that ran already, whose state is unknown. */
    public synchronized boolean isRunning() {
        return !isStoppable() || (started instanceof MemcachedProcess process ? process.isAlive() : started != null);
    }

    /** Stops the server, as if its machine were switched off. Does nothing if the server does not run. */
    synchronized void stop() {
        checkStoppable("stopped");
        if (started instanceof MemcachedProcess process) {
            process.kill();
        } else if (started != null) {
            started.close();
            started = null;
        }
    }

    /** Starts the server, empty, under the same address. Does nothing if the server runs. */
    synchronized void start() {
        checkStoppable("started");
        if (started instanceof MemcachedProcess process && !process.isAlive()) {
            process.restart();
        } else if (started == null) {
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            started = EmbeddedMemcached.builder().port(port).start();
        }
    }

    private void checkStoppable(String what) {
        if (!isStoppable()) {
            throw new IllegalStateException(address + " cannot be " + what + ": " + whyNotStoppable);
        }
    }

    /** Stops the server for good; does nothing for a server that the sample did not start. */
    @Override
    public synchronized void close() {
        if (started != null) {
            started.close();
        }
    }
}
