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
 * Whether a server answers.
 *
 * <p>Threading: immutable.
 *
 * @param server the server
 * @param latency how long it took until the answer, or until the failure
 * @param failure why there was no answer; null if the server is up
 */
public record ServerHealth(
        ServerAddress server, Duration latency, @Nullable MemcachedException failure) {

    /**
     * The health of a server that {@code question} asks.
     *
     * @throws MemcachedInterruptedException if the calling thread is interrupted, which says nothing of the server
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

    /** The first that is down; if all are up, the one that took longest. */
    public static ServerHealth worst(List<ServerHealth> healths) {
        return healths.stream()
                .filter(health -> !health.isUp())
                .findFirst()
                .orElseGet(() -> Collections.max(healths, Comparator.comparing(ServerHealth::latency)));
    }

    /** Whether the server answered. */
    public boolean isUp() {
        return failure == null;
    }

    /** Why the server is down, in a sentence; null if it is up. */
    public @Nullable String reason() {
        return failure == null ? null : failure.getMessage();
    }

    @Override
    public String toString() {
        return server + (isUp() ? " is up" : " is down") + ", after " + latency.toMillis() + " ms"
                + (isUp() ? "" : ": " + reason());
    }
}
