// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.AsyncAdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The asynchronous admin client over a sender for each server. See {@link Clients#asyncAdmin}. */
record AsyncSenderAdminClient(Map<ServerAddress, CommandSender> servers, Duration timeout) implements AsyncAdminClient {

    private <T, R> CompletableFuture<ServerResults<R>> query(AdminQuery<T, R> query) {
        Map<ServerAddress, CompletableFuture<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) ->
                replies.put(server, sender.send(query.command().get()).toFuture(timeout)));
        return CompletableFuture.allOf(replies.values().toArray(CompletableFuture<?>[]::new))
                .handle((ignored, failure) -> query.answers(replies, Futures::result));
    }

    @Override
    public CompletableFuture<ServerResults<ServerStats>> stats() {
        return query(AdminQuery.stats());
    }

    @Override
    public CompletableFuture<ServerResults<Map<String, String>>> stats(StatsGroup group) {
        return query(AdminQuery.stats(group));
    }

    @Override
    public CompletableFuture<ServerResults<String>> resetStats() {
        return query(AdminQuery.resetStats());
    }

    @Override
    public CompletableFuture<ServerResults<String>> countPrefixes(boolean on) {
        return query(AdminQuery.countPrefixes(on));
    }

    @Override
    public CompletableFuture<ServerResults<String>> version() {
        return query(AdminQuery.version());
    }

    @Override
    public CompletableFuture<ServerResults<String>> flushAll(Duration delay) {
        return query(AdminQuery.flushAll(delay));
    }

    @Override
    public CompletableFuture<ServerResults<String>> verbosity(int level) {
        return query(AdminQuery.verbosity(level));
    }
}
