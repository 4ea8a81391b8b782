// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.memshard.client.options.ServerAddress;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.Set;

/** Names and keys of observations, as listed in {@link CallContext}. */
final class CallConvention implements ObservationConvention<CallContext> {

    static final CallConvention INSTANCE = new CallConvention();

    static final String NONE = "none";

    /** Operations whose result is null on a miss. */
    private static final Set<String> READS_OF_ONE_KEY = Set.of("get", "gets", "getAndTouch");

    private CallConvention() {}

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallContext;
    }

    @Override
    public String getName() {
        return "db.client.operation.duration";
    }

    @Override
    public String getContextualName(CallContext context) {
        Call call = context.call();
        return call.server() == null
                ? call.operation()
                : call.operation() + ' ' + call.server().nameOrAddress();
    }

    /** Returns the same keys for every call, as a meter derived from the observation requires. */
    @Override
    public KeyValues getLowCardinalityKeyValues(CallContext context) {
        return KeyValues.of(
                "db.system.name",
                "memcached",
                "db.operation.name",
                context.call().operation(),
                "db.client.connection.pool.name",
                context.pool());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(CallContext context) {
        Call call = context.call();
        ServerAddress server = call.server();
        Throwable error = context.getError();
        KeyValues keys = error == null ? resultOf(context) : KeyValues.of("error.type", Outcome.of(error.getClass()));
        if (server != null) {
            keys = keys.and("server.address", server.host());
        }
        if (server != null && !server.isUnixSocket()) {
            keys = keys.and("server.port", String.valueOf(server.port()));
        }
        if (call.keys() > 1) {
            keys = keys.and("db.operation.batch.size", String.valueOf(call.keys()));
        }
        return context.showsKey() && call.key() != null ? keys.and("memshard.key", call.key()) : keys;
    }

    /** Returns the key for the result. Returns no key before the call ends, because the observation would keep it. */
    private static KeyValues resultOf(CallContext context) {
        return context.hasSucceeded()
                        && READS_OF_ONE_KEY.contains(context.call().operation())
                ? KeyValues.of("memshard.result", context.isNull() ? "miss" : "hit")
                : KeyValues.empty();
    }
}
