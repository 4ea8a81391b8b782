// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operation that has sent its first commands, or sends all commands in {@link #end}. */
@FunctionalInterface
public interface Sent<A extends @Nullable Object> {

    /** Completes the operation. Called once. The result completes before the deadline or soon after. */
    CompletableFuture<A> end(Deadline deadline);

    default <B extends @Nullable Object> Sent<B> map(Function<? super A, ? extends B> function) {
        return deadline -> end(deadline).thenApply(function);
    }
}
