// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.ServerHealth;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Version;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Health check of servers by the command {@code version}. */
final class HealthCheck {

    private HealthCheck() {}

    static List<ServerHealth> of(Map<ServerAddress, ? extends CommandSender> servers, Duration timeout) {
        if (servers.size() == 1) {
            // A blocking call uses the socket of other blocking calls. An asynchronous call might open another socket.
            return servers.entrySet().stream()
                    .map(only -> ServerHealth.of(
                            only.getKey(), () -> only.getValue().call(new Version(), timeout.toNanos())))
                    .toList();
        }
        List<CompletableFuture<ServerHealth>> queried = new ArrayList<>();
        servers.forEach((server, sender) -> queried.add(query(server, sender, timeout)));
        List<ServerHealth> healths = new ArrayList<>();
        for (CompletableFuture<ServerHealth> health : queried) {
            try {
                healths.add(health.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MemcachedInterruptedException("interrupted while servers were queried", null, e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a server could not be queried", e.getCause());
            }
        }
        return List.copyOf(healths);
    }

    private static CompletableFuture<ServerHealth> query(ServerAddress server, CommandSender sender, Duration timeout) {
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
}
