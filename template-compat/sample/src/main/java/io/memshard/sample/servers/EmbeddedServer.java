// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

import io.memshard.testkit.EmbeddedMemcached;
import org.jspecify.annotations.Nullable;

/** Memcached inside this JVM, with which it shares the processors. */
final class EmbeddedServer implements SampleServer {

    private final String host;
    private final int port;
    private @Nullable EmbeddedMemcached running;

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
        }
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            running = EmbeddedMemcached.builder().port(port).start();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
