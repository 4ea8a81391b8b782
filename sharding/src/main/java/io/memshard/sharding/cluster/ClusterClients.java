// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.operation.CallObservation;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Clients;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import java.util.function.LongUnaryOperator;

public final class ClusterClients {

    private final MemshardOptions options;
    private final Calls calls;

    /** Creates a factory of clients. {@code times} converts a call's timeout to its time limit, both in nanoseconds. */
    public ClusterClients(
            MemshardOptions options, CommandSender sender, CallObservation.Servers servers, LongUnaryOperator times) {
        this.options = options;
        this.calls = new Calls(
                        sender,
                        options.requestTimeout(),
                        CallObservation.by(
                                options.listener(),
                                servers,
                                options.connection().hidesKeys()),
                        times)
                .withFailurePolicy(options.failurePolicy());
    }

    public <V> MemcachedClient<V> blocking(Transcoder<V> transcoder) {
        MemcachedClient<V> client = Clients.blocking(
                        calls, transcoder, options.connection().maxValueBytes())
                .withKeyPrefix(options.keyPrefix());
        return options.hashesKeys() ? client.withHashedKeys() : client;
    }

    public <V> AsyncMemcachedClient<V> async(Transcoder<V> transcoder) {
        return blocking(transcoder).async();
    }
}
