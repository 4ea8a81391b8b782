// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * An operator's questions to servers, for asynchronous callers.
 *
 * <p>The methods, their arguments and their results are those of {@link AdminClient}.
 *
 * <p>Threading: thread-safe; each call returns at once. A future is completed by a thread of the client, or by a caller
 * that reads replies for others too. Dependent stages without an executor run there and must not block.
 *
 * <p>Failure: illegal arguments are thrown by the call. A future completes when every server has answered, at the
 * latest a timer tick after the request timeout. A server that does not answer, or answers with an error, is among the
 * {@link ServerResults#failures} and does not fail the future.
 */
public interface AsyncAdminClient {

    /** As {@link AdminClient#stats()}. */
    CompletableFuture<ServerResults<ServerStats>> stats();

    /** As {@link AdminClient#stats(StatsGroup)}. */
    CompletableFuture<ServerResults<Map<String, String>>> stats(StatsGroup group);

    /** As {@link AdminClient#resetStats}. */
    CompletableFuture<ServerResults<String>> resetStats();

    /** As {@link AdminClient#countPrefixes}. */
    CompletableFuture<ServerResults<String>> countPrefixes(boolean on);

    /** As {@link AdminClient#version}. */
    CompletableFuture<ServerResults<String>> version();

    /** As {@link AdminClient#flushAll}. */
    CompletableFuture<ServerResults<String>> flushAll(Duration delay);

    /** As {@link AdminClient#verbosity}. */
    CompletableFuture<ServerResults<String>> verbosity(int level);
}
