// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import io.memshard.client.listener.Call;
import io.memshard.client.options.ServerAddress;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and keys of observations, as listed in {@link CallContext}. */
final class CallConvention implements ObservationConvention<CallContext> {

    static final CallConvention INSTANCE = new CallConvention();

    static final String NONE = "none";

    private CallConvention() {}

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallContext;
    }

    @Override
    public String getName() {
        return "memshard.calls";
    }

    @Override
    public String getContextualName(CallContext context) {
        Call call = context.call();
        return call.server() == null ? call.operation() : call.operation() + ' ' + call.server();
    }

    /** Returns the same keys for every call, because a meter derived from the observation requires it. */
    @Override
    public KeyValues getLowCardinalityKeyValues(CallContext context) {
        ServerAddress server = context.call().server();
        Throwable error = context.getError();
        return KeyValues.of(
                "db.system.name",
                "memcached",
                "db.operation.name",
                context.call().operation(),
                "error.type",
                error == null ? NONE : Outcome.of(error.getClass()),
                "server.address",
                server == null ? NONE : server.host(),
                "server.port",
                server == null || server.isUnixSocket() ? NONE : String.valueOf(server.port()),
                "db.client.connection.pool.name",
                context.pool());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(CallContext context) {
        Call call = context.call();
        KeyValues keys = call.key() == null ? KeyValues.empty() : KeyValues.of("memshard.key", call.key());
        return call.keys() > 1 ? keys.and("db.operation.batch.size", String.valueOf(call.keys())) : keys;
    }
}
