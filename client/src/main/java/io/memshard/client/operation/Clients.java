// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerHealth;
import io.memshard.client.argument.ValueCoder;
import io.memshard.client.exception.MemcachedInterruptedException;
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

    /** Returns a blocking client whose calls are not observed. */
    public static <V> MemcachedClient<V> blocking(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return blocking(new Calls(sender, null), transcoder, maxValueBytes, requestTimeout);
    }

    /**
     * Returns a blocking client whose calls may be observed.
     *
     * @param maxValueBytes size of the largest value to send, in bytes
     * @param requestTimeout longest wait of a call for its reply, more than zero and at most 24 days
     */
    public static <V> MemcachedClient<V> blocking(
            Calls calls, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return new SenderClient<>(
                calls,
                new ClientCommands<>(coder(calls, transcoder, maxValueBytes), KeyRule.NONE),
                ConnectionOptions.checkTimeout("requestTimeout", requestTimeout).toNanos());
    }

    /** Returns an asynchronous client whose calls are not observed. */
    public static <V> AsyncMemcachedClient<V> async(
            CommandSender sender, Transcoder<V> transcoder, int maxValueBytes, Duration requestTimeout) {
        return async(new Calls(sender, null), transcoder, maxValueBytes, requestTimeout);
    }

    /**
     * Returns an asynchronous client whose calls may be observed.
     *
     * @param maxValueBytes size of the largest value to send, in bytes
     * @param requestTimeout time after which a future fails, more than zero and at most 24 days
     */
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

    /**
     * Returns an admin client.
     *
     * @param servers the sender for each server, in the order of the results; copied
     * @param requestTimeout longest wait of a call for the last reply, more than zero and at most 24 days
     */
    public static AdminClient admin(Map<ServerAddress, ? extends CommandSender> servers, Duration requestTimeout) {
        return new SenderAdminClient(
                Collections.unmodifiableMap(new LinkedHashMap<>(servers)),
                ConnectionOptions.checkTimeout("requestTimeout", requestTimeout).toNanos());
    }

    /**
     * Returns the health of servers, all of which are queried for their version at the same time.
     *
     * @param servers the sender for each server, in the order of the results
     * @param timeout longest wait for the answers, more than zero and at most 24 days
     * @throws MemcachedInterruptedException if the calling thread is interrupted
     */
    public static List<ServerHealth> health(Map<ServerAddress, ? extends CommandSender> servers, Duration timeout) {
        return HealthCheck.of(servers, ConnectionOptions.checkTimeout("timeout", timeout));
    }
}
