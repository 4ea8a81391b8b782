// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

record Sent<R, T extends @Nullable Object>(
        Call call, Future<R> future, Consumer<Runnable> listen, Function<@Nullable R, T> read) {

    T await() {
        return read.apply(call.await(future));
    }

    CompletableFuture<T> start(long deadlineNanos) {
        return call.connection()
                .completions()
                .start(deadlineNanos, listen, leftNanos -> read.apply(call.await(future, leftNanos)));
    }
}
