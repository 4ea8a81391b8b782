// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
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

    /**
     * The health of servers, which are asked at once for their version.
     *
     * @param servers what takes the commands of each, in the order of the results
     * @throws MemcachedInterruptedException if the calling thread is interrupted, which says nothing of the servers
     */
    @SuppressWarnings("exports") // For our own modules, which see what takes commands.
    public static List<ServerHealth> of(Map<ServerAddress, ? extends CommandSender> servers, Duration timeout) {
        if (servers.size() == 1) {
            // A blocking call, which opens no socket that the others do not use.
            return servers.entrySet().stream()
                    .map(only -> of(only.getKey(), () -> only.getValue().call(new Version(), timeout.toNanos())))
                    .toList();
        }
        List<CompletableFuture<ServerHealth>> asked = new ArrayList<>();
        servers.forEach((server, sender) -> asked.add(ask(server, sender, timeout)));
        List<ServerHealth> healths = new ArrayList<>();
        for (CompletableFuture<ServerHealth> health : asked) {
            try {
                healths.add(health.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MemcachedInterruptedException("interrupted while servers were asked", null, e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a server could not be asked", e.getCause());
            }
        }
        return List.copyOf(healths);
    }

    private static CompletableFuture<ServerHealth> ask(ServerAddress server, CommandSender sender, Duration timeout) {
        long startNanos = System.nanoTime();
        return sender.send(new Version()).toFuture(timeout).handle((version, thrown) -> {
            Duration latency = Duration.ofNanos(System.nanoTime() - startNanos);
            if (thrown == null) {
                return new ServerHealth(server, latency, null);
            }
            if (Futures.cause(thrown) instanceof MemcachedException failure) {
                return new ServerHealth(server, latency, failure);
            }
            throw new CompletionException(Futures.cause(thrown));
        });
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
