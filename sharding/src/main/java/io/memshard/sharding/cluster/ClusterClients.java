// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.operation.Clients;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.MemshardOptions;

/** Clients with the settings of a {@link MemshardOptions}, over any sender. */
public final class ClusterClients {

    private ClusterClients() {}

    /** Returns a blocking client. */
    public static <V> MemcachedClient<V> blocking(
            MemshardOptions options, CommandSender sender, Transcoder<V> transcoder) {
        MemcachedClient<V> client = Clients.blocking(
                        sender, transcoder, options.connection().maxValueBytes(), options.requestTimeout())
                .withFailurePolicy(options.failurePolicy())
                .withKeyPrefix(options.keyPrefix());
        return options.hashesKeys() ? client.withHashedKeys() : client;
    }

    /** Returns an asynchronous client. */
    public static <V> AsyncMemcachedClient<V> async(
            MemshardOptions options, CommandSender sender, Transcoder<V> transcoder) {
        AsyncMemcachedClient<V> client = Clients.async(
                        sender, transcoder, options.connection().maxValueBytes(), options.requestTimeout())
                .withFailurePolicy(options.failurePolicy())
                .withKeyPrefix(options.keyPrefix());
        return options.hashesKeys() ? client.withHashedKeys() : client;
    }
}
