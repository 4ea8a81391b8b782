// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

import io.memshard.testkit.MemcachedContainer;

/** Memcached in a container, of the image that {@code docker/build-images} provides. */
final class ContainerServer implements SampleServer {

    private static final String IMAGE = "memshard/memcached:local";
    private static final int SHORT_ID = 12;

    private final MemcachedContainer container;
    private volatile boolean running = true;

    ContainerServer() {
        container = MemcachedContainer.start(System.getProperty(MemcachedContainer.IMAGE_PROPERTY, IMAGE));
    }

    @Override
    public String address() {
        return container.host() + ":" + container.port();
    }

    @Override
    public String description() {
        return "container " + container.containerId().substring(0, SHORT_ID);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public synchronized void stop() {
        if (running) {
            container.kill();
            running = false;
        }
    }

    @Override
    public synchronized void start() {
        if (!running) {
            container.restart();
            running = true;
        }
    }

    @Override
    public void close() {
        container.close();
    }
}
