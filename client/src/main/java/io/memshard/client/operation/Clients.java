// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.OutlivingSender;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Factory of clients over a sender of commands: a connection, or an array of connections. */
public final class Clients {

    private Clients() {}

    public static <V> MemcachedClient<V> blocking(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return blocking(new Calls(sender, null), transcoder, maxValueBytes, requestTimeout);
    }

    /** Returns a blocking client. {@code requestTimeout} is more than zero and at most 24 days. */
    public static <V> MemcachedClient<V> blocking(
            Calls calls, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return new SenderClient<>(
                calls,
                new ClientCommands<>(coder(calls, transcoder, maxValueBytes), KeyRule.NONE),
                ConnectionOptions.checkTimeout("requestTimeout", requestTimeout).toNanos());
    }

    public static <V> AsyncMemcachedClient<V> async(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return async(new Calls(sender, null), transcoder, maxValueBytes, requestTimeout);
    }

    /** Returns an asynchronous client. {@code requestTimeout} is more than zero and at most 24 days. */
    public static <V> AsyncMemcachedClient<V> async(
            Calls calls, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return new AsyncSenderClient<>(
                calls,
                new ClientCommands<>(coder(calls, transcoder, maxValueBytes), KeyRule.NONE),
                ConnectionOptions.checkTimeout("requestTimeout", requestTimeout));
    }

    private static <V> ValueCoder<V> coder(Calls calls, Transcoder<V> transcoder, int maxValueBytes) {
        boolean hidesKeys = calls.sender().context("mg", null, Phase.QUEUED).hidesKey();
        boolean copies = calls.plainSender() instanceof OutlivingSender;
        return new ValueCoder<>(transcoder, maxValueBytes, Clock.systemUTC(), hidesKeys, copies);
    }

    /** Returns an admin client, whose results are in the order of {@code servers}. */
    public static AdminClient admin(Map<ServerAddress, ? extends CommandSender> servers, Duration requestTimeout) {
        return new SenderAdminClient(
                Collections.unmodifiableMap(new LinkedHashMap<>(servers)),
                ConnectionOptions.checkTimeout("requestTimeout", requestTimeout).toNanos());
    }

    /** Queries the versions of all servers at the same time. The results are in the order of {@code servers}. */
    public static List<ServerHealth> health(Map<ServerAddress, ? extends CommandSender> servers, Duration timeout) {
        return HealthCheck.of(servers, ConnectionOptions.checkTimeout("timeout", timeout));
    }
}
