// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Reply that is known without a server. The future is complete. Threading: immutable. */
public record KnownReply<T>(CompletableFuture<T> known) implements Reply<T> {

    public static <T> Reply<T> of(T result) {
        return new KnownReply<>(CompletableFuture.completedFuture(result));
    }

    public static <T> Reply<T> failed(MemcachedException failure) {
        return new KnownReply<>(CompletableFuture.failedFuture(failure));
    }

    @Override
    public T await(long timeoutNanos) {
        return Futures.result(known);
    }

    @Override
    public CompletableFuture<T> toFuture(Duration timeout) {
        return known;
    }
}
