// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.admin.AdminClient;
import io.memshard.client.admin.ServerResults;
import io.memshard.client.admin.ServerStats;
import io.memshard.client.admin.StatsGroup;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The admin client over a sender for each server. See {@link Clients#admin}. */
record SenderAdminClient(Map<ServerAddress, CommandSender> servers, long timeoutNanos) implements AdminClient {

    private <T, R> ServerResults<R> query(AdminQuery<T, R> query) {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        Map<ServerAddress, Reply<T>> replies = new LinkedHashMap<>();
        servers.forEach((server, sender) ->
                replies.put(server, sender.send(query.command().get())));
        return query.answers(replies, reply -> reply.await(deadlineNanos - System.nanoTime()));
    }

    @Override
    public ServerResults<ServerStats> stats() {
        return query(AdminQuery.stats());
    }

    @Override
    public ServerResults<Map<String, String>> stats(StatsGroup group) {
        return query(AdminQuery.stats(group));
    }

    @Override
    public ServerResults<String> resetStats() {
        return query(AdminQuery.resetStats());
    }

    @Override
    public ServerResults<String> countPrefixes(boolean on) {
        return query(AdminQuery.countPrefixes(on));
    }

    @Override
    public ServerResults<String> version() {
        return query(AdminQuery.version());
    }

    @Override
    public ServerResults<String> flushAll(Duration delay) {
        return query(AdminQuery.flushAll(delay));
    }

    @Override
    public ServerResults<String> verbosity(int level) {
        return query(AdminQuery.verbosity(level));
    }
}
