// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.admin;

import io.memshard.client.Clients;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Futures;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The asynchronous admin client over a sender for each server. See {@link Clients#asyncAdmin}. */
@SuppressWarnings("exports") // For our own modules, which see what it is made of.
public record AsyncSenderAdminClient(Map<ServerAddress, CommandSender> servers, Duration timeout)
        implements AsyncAdminClient {

    private <T, R> CompletableFuture<ServerResults<R>> ask(AdminQuestion<T, R> question) {
        Map<ServerAddress, CompletableFuture<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) ->
                replies.put(server, sender.send(question.command().get()).toFuture(timeout)));
        return CompletableFuture.allOf(replies.values().toArray(CompletableFuture<?>[]::new))
                .handle((ignored, failure) ->
                        ServerResults.of(replies, reply -> question.answer().apply(Futures.result(reply))));
    }

    @Override
    public CompletableFuture<ServerResults<ServerStats>> stats() {
        return ask(AdminQuestion.stats());
    }

    @Override
    public CompletableFuture<ServerResults<Map<String, String>>> stats(StatsGroup group) {
        return ask(AdminQuestion.stats(group));
    }

    @Override
    public CompletableFuture<ServerResults<String>> resetStats() {
        return ask(AdminQuestion.resetStats());
    }

    @Override
    public CompletableFuture<ServerResults<String>> countPrefixes(boolean on) {
        return ask(AdminQuestion.countPrefixes(on));
    }

    @Override
    public CompletableFuture<ServerResults<String>> version() {
        return ask(AdminQuestion.version());
    }

    @Override
    public CompletableFuture<ServerResults<String>> flushAll(Duration delay) {
        return ask(AdminQuestion.flushAll(delay));
    }

    @Override
    public CompletableFuture<ServerResults<String>> verbosity(int level) {
        return ask(AdminQuestion.verbosity(level));
    }
}
