// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Version;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongUnaryOperator;

public final class Clients {

    private Clients() {}

    public static <V> MemcachedClient<V> blocking(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        Calls calls = new Calls(sender, FailurePolicy.FAIL_FAST, requestTimeout, null, LongUnaryOperator.identity());
        return blocking(calls, transcoder, maxValueBytes);
    }

    public static <V> MemcachedClient<V> blocking(Calls calls, Transcoder<V> transcoder, int maxValueBytes) {
        boolean hidesKeys = calls.sender.context("mg", null, Phase.QUEUED).hidesKey();
        boolean copies = calls.plainSender instanceof RoutingSender servers && servers.outlivesCalls();
        ValueCoder<V> coder = new ValueCoder<>(transcoder, maxValueBytes, Clock.systemUTC(), hidesKeys, copies);
        return new SenderClient<>(calls, new ClientCommands<>(coder, KeyRule.NONE));
    }

    public static AdminClient admin(Map<ServerAddress, ? extends CommandSender> servers, Duration requestTimeout) {
        return new SenderAdminClient(
                Collections.unmodifiableMap(new LinkedHashMap<>(servers)),
                Timeouts.check("requestTimeout", requestTimeout).toNanos());
    }

    public static List<ServerHealth> health(Map<ServerAddress, ? extends CommandSender> servers, Duration timeout) {
        Timeouts.check("timeout", timeout);
        if (servers.size() == 1) {
            // A blocking call uses the socket of other blocking calls. An asynchronous call might open another socket.
            return servers.entrySet().stream()
                    .map(only -> ServerHealth.of(
                            only.getKey(), () -> only.getValue().call(new Version(), timeout.toNanos())))
                    .toList();
        }
        List<CompletableFuture<ServerHealth>> queried = new ArrayList<>();
        servers.forEach((server, sender) -> queried.add(query(server, sender, timeout)));
        CompletableFuture<List<ServerHealth>> all = Futures.all(queried);
        return all.isDone()
                ? Futures.result(all) // Also for an interrupted caller.
                : Futures.await(all, "interrupted during the health check of the servers");
    }

    private static CompletableFuture<ServerHealth> query(ServerAddress server, CommandSender sender, Duration timeout) {
        long startNanos = System.nanoTime();
        return sender.send(new Version()).toFuture(timeout).handle((version, thrown) -> {
            Duration latency = Duration.ofNanos(System.nanoTime() - startNanos);
            Throwable failure = thrown == null ? null : Futures.cause(thrown);
            if (failure != null && !(failure instanceof MemcachedException)) {
                throw new CompletionException(failure);
            }
            return new ServerHealth(server, latency, (MemcachedException) failure);
        });
    }
}
