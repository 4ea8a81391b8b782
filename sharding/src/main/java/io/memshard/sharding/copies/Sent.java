// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Command that was sent to one copy of the data. */
@FunctionalInterface
public interface Sent<A> {

    /** Returns the answer, which contains the failure of each key that has failed. Called once. */
    CompletableFuture<A> answer(Duration timeout);
}
