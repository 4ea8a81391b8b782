// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.protocol.MetaMultiWrite;
import io.memshard.client.protocol.StoreStatus;
import io.memshard.client.protocol.wire.KeyRule;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Deletes many items. */
public final class MultiDelete extends MultiWrite<MultiDeleteResult> {

    /** Deletes the items under the distinct legal keys; all keys are checked here. */
    private MultiDelete(KeyRule rule, Collection<String> keys) {
        super(rule);
        new LinkedHashSet<>(Objects.requireNonNull(keys, "keys is null")).forEach(key -> add(key, () -> null));
    }

    /** Deletes the items under the distinct keys, on the calling thread. */
    public static MultiDeleteResult run(KeyRule rule, Collection<String> keys, Calls calls, long timeoutNanos) {
        return BlockingMulti.run(new MultiDelete(rule, keys), calls, timeoutNanos);
    }

    /** Same as {@link #run}, but the caller does not wait. */
    public static CompletableFuture<MultiDeleteResult> start(
            KeyRule rule, Collection<String> keys, Calls calls, Duration timeout) {
        return AsyncMulti.start(new MultiDelete(rule, keys), calls, timeout);
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
