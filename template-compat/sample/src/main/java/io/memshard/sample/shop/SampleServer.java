// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import org.jspecify.annotations.Nullable;

/** Memcached that can be stopped and started under the same address; thread-safe. */
public final class SampleServer implements AutoCloseable {

    private final String host;
    private final int port;

    /** Server that was started last; null while an embedded server is stopped. Guarded by this object's monitor. */
    private @Nullable MemcachedServer started;

    SampleServer(MemcachedServer started) {
        this.host = started.host();
        this.port = started.port();
        this.started = started;
    }

    String address() {
        return host + ':' + port;
    }

    synchronized String description() {
        return started instanceof MemcachedProcess process ? "process " + process.pid() : "embedded in this JVM";
    }

    public synchronized boolean isRunning() {
        return started instanceof MemcachedProcess process ? process.isAlive() : started != null;
    }

    synchronized void stop() {
        if (started instanceof MemcachedProcess process) {
            process.kill();
        } else if (started != null) {
            started.close();
            started = null;
        }
    }

    synchronized void start() {
        if (started instanceof MemcachedProcess process && !process.isAlive()) {
            process.restart();
        } else if (started == null) {
            started = EmbeddedMemcached.builder().port(port).start();
        }
    }

    @Override
    public synchronized void close() {
        if (started != null) {
            started.close();
        }
    }
}
