// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;

/** Multi-delete: the deletion of many items. */
final class MultiDelete extends MultiWrite<MultiDeleteResult> {

    /** Creates the deletion of the items under the distinct legal keys. Checks all keys. */
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
