// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * Memcached in a Docker container, run by Testcontainers, which must be on the class path.
 *
 * <p>If no image registry is reachable, load the image into the Docker engine beforehand and set the environment
 * variables {@code TESTCONTAINERS_RYUK_DISABLED=true}, {@code TESTCONTAINERS_CHECKS_DISABLE=true} and {@code
 * TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1}. Without these variables, Testcontainers pulls additional images.
 *
 * <p>Threading: thread-safe. Failure: {@link #start()} throws {@link IllegalStateException} if there is
 * no Docker engine, if an image cannot be pulled, or if memcached does not answer within 30 seconds.
 */
public final class MemcachedContainer implements MemcachedServer {

    public static final String IMAGE_PROPERTY = "memshard.image";

    private static final String DEFAULT_IMAGE = "memcached:1.6";
    private static final int MEMCACHED_PORT = 11211;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final GenericContainer<?> container;
    private final String image;
    private final String version;

    private MemcachedContainer(GenericContainer<?> container, String image, String version) {
        this.container = container;
        this.image = image;
        this.version = version;
    }

    /** Starts a container of the image in system property {@value #IMAGE_PROPERTY}; default {@code memcached:1.6}. */
    public static MemcachedContainer start() {
        return start(System.getProperty(IMAGE_PROPERTY, DEFAULT_IMAGE));
    }

    /** Starts a container of {@code image}, in which memcached must listen on port 11211. */
    @SuppressWarnings("resource") // handed to the caller, or closed below
    public static MemcachedContainer start(String image) {
        String engine = System.getenv().getOrDefault("DOCKER_HOST", "");
        if (engine.startsWith("unix:")
                && !Files.exists(Path.of(URI.create(engine).getPath()))) {
            // Testcontainers would use another engine instead.
            throw new IllegalStateException(
                    "no Docker engine at DOCKER_HOST=" + engine + ": start Docker, or unset DOCKER_HOST");
        }
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withExposedPorts(MEMCACHED_PORT)
                .waitingFor(new NoWait());
        try {
            container.start();
            int port = container.getMappedPort(MEMCACHED_PORT);
            String version = VersionProbe.await(
                    () -> VersionProbe.query(container.getHost(), port), START_TIMEOUT, container::isRunning);
            return new MemcachedContainer(container, image, version);
        } catch (IOException | RuntimeException e) {
            container.stop();
            throw new IllegalStateException("cannot start a container of " + image + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return container.getMappedPort(MEMCACHED_PORT);
    }

    @Override
    public String description() {
        return "container " + image + " " + version + " on " + host() + ":" + port();
    }

    @Override
    public void close() {
        container.stop();
    }

    @Override
    public String toString() {
        return "container " + image + " " + version;
    }

    /** Wait strategy that does not wait, because the default strategy needs a shell in the image. */
    private static final class NoWait extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {
            // The caller waits afterwards.
        }
    }
}
