// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Operator commands for servers, for asynchronous callers.
 *
 * <p>The methods, their arguments and their results are those of {@link AdminClient}.
 *
 * <p>Threading: thread-safe; each call returns at once. A thread of the client or the {@code completionExecutor}
 * completes each future. Dependent stages without an executor run on that thread and must not block.
 *
 * <p>Failure: the call itself throws on illegal arguments. A future completes when every server has answered, at most
 * one timer tick after the request timeout. {@link ServerResults#failures} contains servers that do not answer or
 * answer with an error; they do not fail the future.
 */
public interface AsyncAdminClient {

    /** Same as {@link AdminClient#stats()}. */
    CompletableFuture<ServerResults<ServerStats>> stats();

    /** Same as {@link AdminClient#stats(StatsGroup)}. */
    CompletableFuture<ServerResults<Map<String, String>>> stats(StatsGroup group);

    /** Same as {@link AdminClient#resetStats}. */
    CompletableFuture<ServerResults<String>> resetStats();

    /** Same as {@link AdminClient#countPrefixes}. */
    CompletableFuture<ServerResults<String>> countPrefixes(boolean on);

    /** Same as {@link AdminClient#version}. */
    CompletableFuture<ServerResults<String>> version();

    /** Same as {@link AdminClient#flushAll}. */
    CompletableFuture<ServerResults<String>> flushAll(Duration delay);

    /** Same as {@link AdminClient#verbosity}. */
    CompletableFuture<ServerResults<String>> verbosity(int level);
}
