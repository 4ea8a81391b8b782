// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operation whose first commands may already have been sent. */
@FunctionalInterface
public interface Sent<A extends @Nullable Object> {

    /** Sends the remaining commands. Called once. */
    CompletableFuture<A> end(Deadline deadline);

    default <B extends @Nullable Object> Sent<B> map(Function<? super A, ? extends B> function) {
        return deadline -> end(deadline).thenApply(function);
    }
}
