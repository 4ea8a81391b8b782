// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * Context of a call's observation, for predicates, filters and conventions of an application.
 *
 * <p>The observation is named {@code db.client.operation.duration}, and its span, for example,
 * {@code get cache-1:11211}. The keys of the observation are:
 *
 * <ul>
 *   <li>of low cardinality, in each call: {@code db.system.name}, always {@code memcached}; {@code db.operation.name};
 *       {@code db.client.connection.pool.name};
 *   <li>of high cardinality: {@code error.type}, the kind of a failure;
 *   <li>{@code server.address} and {@code server.port}, unless an operation on many keys has several servers;
 *   <li>{@code db.operation.batch.size}, for a call with many keys;
 *   <li>{@code memshard.result}, {@code hit} or {@code miss}, of a read of one key;
 *   <li>{@code memshard.key}, if the listener shows keys.
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
    private final boolean showsKey;

    /** True at the end of a call that has succeeded. */
    private boolean hasSucceeded;

    private boolean isNull;

    CallContext(Call call, String pool, boolean showsKey) {
        // memcached's protocol cannot carry a trace.
        super((carrier, key, value) -> {}, Kind.CLIENT);
        this.call = call;
        this.pool = pool;
        this.showsKey = showsKey;
        setCarrier(call);
        setRemoteServiceName("memcached");
        if (call.server() != null) {
            setRemoteServiceAddress(call.server().hostAndPort());
        }
    }

    /** Returns the call. */
    public Call call() {
        return call;
    }

    /** Returns whether the key of the call is among the keys of the observation. */
    boolean showsKey() {
        return showsKey;
    }

    /** Returns whether the call has succeeded. */
    boolean hasSucceeded() {
        return hasSucceeded;
    }

    /** Returns whether the result is null, as on a miss. */
    boolean isNull() {
        return isNull;
    }

    void succeeded(@Nullable Object result) {
        hasSucceeded = true;
        isNull = result == null;
    }

    /** Returns the name of the client. */
    public String pool() {
        return pool;
    }
}
