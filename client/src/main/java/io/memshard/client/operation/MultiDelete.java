// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;

/** Deletes many items. */
final class MultiDelete extends MultiWrite<MultiDeleteResult> {

    /** Deletes the items under the distinct legal keys; all keys are checked here. */
    MultiDelete(KeyRule rule, Collection<String> keys) {
        super(rule);
        new LinkedHashSet<>(Objects.requireNonNull(keys, "keys is null")).forEach(key -> add(key, () -> null));
    }

    @Override
    String name() {
        return MetaMultiWrite.DELETES;
    }

    @Override
    MultiDeleteResult result() {
        return new MultiDeleteResult(keysWith(StoreStatus.DONE), keysWith(StoreStatus.NOT_FOUND), failures());
    }
}
