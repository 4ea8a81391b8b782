// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * Context of the observation of a call, which an application's predicates, filters and conventions can read.
 *
 * <p>The name of the observation is {@code db.client.operation.duration}. The name of its span is, for example,
 * {@code get cache-1:11211}. {@code docs/observability.md} lists the keys of the observation.
 *
 * <p>Source: OpenTelemetry semantic conventions, "Database client spans".
 */
@SuppressWarnings("exports") // An application that has Micrometer requires its module itself.
public final class CallContext extends SenderContext<Call> {

    private final Call call;
    private final String pool;

    CallContext(Call call, String pool) {
        // memcached's protocol cannot carry a trace.
        super((carrier, key, value) -> {}, Kind.CLIENT);
        this.call = call;
        this.pool = pool;
        setCarrier(call);
        setRemoteServiceName("memcached");
        if (call.server() != null) {
            setRemoteServiceAddress(call.server().hostAndPort());
        }
    }

    public Call call() {
        return call;
    }

    /** Returns the name of the client. */
    public String pool() {
        return pool;
    }
}
