// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;

/**
 * Context of a call's observation, for predicates, filters and conventions of an application.
 *
 * <p>The observation is named {@code memshard.calls}, and its span {@code get cache-1:11211}. Its keys are:
 *
 * <ul>
 *   <li>of low cardinality: {@code db.system.name}, always {@code memcached}; {@code db.operation.name}; {@code
 *       error.type}, the kind of failure or {@code none}; {@code server.address} and {@code server.port}, both {@code
 *       none} for an operation on many keys with several servers; {@code db.client.connection.pool.name};
 *   <li>of high cardinality: {@code memshard.key}, unless keys are hidden; {@code db.operation.batch.size}, for a call
 *       with many keys.
 * </ul>
 *
 * <p>Threading: same as Micrometer's own contexts.
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
            setRemoteServiceAddress(call.server().toString());
        }
    }

    /** Returns the call. */
    public Call call() {
        return call;
    }

    /** Returns the name of the client. */
    public String pool() {
        return pool;
    }
}
