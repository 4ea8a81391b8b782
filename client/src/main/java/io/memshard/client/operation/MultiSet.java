// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.argument.ValueCoder;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.MetaSet;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Stores many items, and once more with a reply for each key if the server rejected some without saying which. */
final class MultiSet extends MultiWrite<MultiSetResult> {

    /** Stores these values; their keys are checked here, and the values of the legal ones encoded. */
    <V> MultiSet(ValueCoder<V> coder, KeyRule rule, Map<String, ? extends V> values, Duration ttl) {
        super(rule);
        int exptime = coder.exptime(ttl);
        Objects.requireNonNull(values, "values is null")
                .forEach((key, value) -> add(key, () -> {
                    EncodedValue encoded = coder.encode(value);
                    return new MetaSet.Item(encoded.data(), encoded.flags(), exptime);
                }));
    }

    @Override
    String name() {
        return MetaMultiWrite.STORES;
    }

    @Override
    MultiSetResult result() {
        return new MultiSetResult(keysWith(StoreStatus.DONE), failures());
    }
}
