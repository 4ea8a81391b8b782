// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.protocol.StoreStatus;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Answer of one zone or fleet to a write of one key. Both components are null after a miss. */
public record Answer(@Nullable MetaReply reply, @Nullable MemcachedException failure) {

    static Answer of(@Nullable MetaReply reply, @Nullable Throwable thrown) {
        return thrown == null ? new Answer(reply, null) : failed(known(thrown));
    }

    public static Answer failed(MemcachedException failure) {
        return new Answer(null, failure);
    }

    public boolean hasChanged() {
        return reply != null && reply.status() == StoreStatus.DONE;
    }

    public static MemcachedException known(Throwable thrown) {
        if (Futures.cause(thrown) instanceof MemcachedException failure) {
            return failure;
        }
        throw new CompletionException(Futures.cause(thrown));
    }
}
