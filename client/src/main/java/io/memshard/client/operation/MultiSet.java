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

/**
 * Multi-set: the storing of many items. If the server rejects items of a part without naming them, the part is stored
 * again with a reply for each key.
 */
final class MultiSet extends MultiWrite<MultiSetResult> {

    /** Creates a multi-set of these values. Checks all keys, and encodes the values of the legal keys. */
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
