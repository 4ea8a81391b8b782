// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a health check of one server.
 *
 * <p>Threading: immutable.
 *
 * @param server the server
 * @param latency time until the answer or the failure
 * @param failure the failure of the check; null if the server is up
 */
public record ServerHealth(
        ServerAddress server, Duration latency, @Nullable MemcachedException failure) {

    /**
     * Measures the health of {@code server} by running {@code question}, a query to this server.
     *
     * @throws MemcachedInterruptedException if the calling thread is interrupted, so that the health is unknown
     */
    public static ServerHealth of(ServerAddress server, Runnable question) {
        long startNanos = System.nanoTime();
        MemcachedException failure = null;
        try {
            question.run();
        } catch (MemcachedInterruptedException e) {
            throw e;
        } catch (MemcachedException e) {
            failure = e;
        }
        return new ServerHealth(server, Duration.ofNanos(System.nanoTime() - startNanos), failure);
    }

    /** Returns the health of the first server that is down; if all servers are up, the health of the slowest server. */
    public static ServerHealth worst(List<ServerHealth> healths) {
        return healths.stream()
                .filter(health -> !health.isUp())
                .findFirst()
                .orElseGet(() -> Collections.max(healths, Comparator.comparing(ServerHealth::latency)));
    }

    /** Returns whether the server answered without an error. */
    public boolean isUp() {
        return failure == null;
    }

    /** Returns the reason why the server is down, as a sentence; null if the server is up. */
    public @Nullable String reason() {
        return failure == null ? null : failure.getMessage();
    }

    @Override
    public String toString() {
        return server + (isUp() ? " is up" : " is down") + ", after " + latency.toMillis() + " ms"
                + (isUp() ? "" : ": " + reason());
    }
}
